import Access
import Identifiers

/// How a role or a tester is identified: by a person or by a value of the claim.
package enum SignInSource: Sendable {
    case person, claim
}

extension NewSignIn.Role {
    /// Parses `publisher:browsey=who`, the form of commands and forms.
    ///
    /// - Returns: nil for anything else.
    package init?(_ text: String, by source: SignInSource) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let left = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let role = Role(rawValue: String(left[0])) else {
            return nil
        }
        self.init(role: role, app: left.count == 2 ? String(left[1]) : nil)
        switch source {
        case .person: person = String(parts[1])
        case .claim: claim = String(parts[1])
        }
    }

    /// The form that ``init(_:by:)`` parses.
    package var text: String {
        role.rawValue + (app.map { ":\($0)" } ?? "") + "=" + (person ?? claim ?? "")
    }

    /// The rule for ``init(_:by:)``, to be placed after the name of an option or a field.
    package static let kindOfText =
        "must be ROLE=WHO or ROLE:APP=WHO, with the role viewer, publisher or admin"
}

extension NewSignIn.Tester {
    /// Parses `qa=who`, the form of commands and forms.
    ///
    /// - Returns: nil for anything else.
    package init?(_ text: String, by source: SignInSource) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let group = GroupName(String(parts[0])) else {
            return nil
        }
        self.init(group: group)
        switch source {
        case .person: person = String(parts[1])
        case .claim: claim = String(parts[1])
        }
    }

    /// The form that ``init(_:by:)`` parses; without a group only the person or claim.
    package var text: String {
        (group.map { "\($0)=" } ?? "") + (person ?? claim ?? "")
    }

    /// The rule for ``init(_:by:)``, to be placed after the name of an option or a field.
    package static let kindOfText = "must be GROUP=WHO"
}
