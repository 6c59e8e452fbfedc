import Bundles
import Bytes
package import Identifiers

/// The role of a person who signs in at a provider; each role corresponds to a right of tokens.
package enum Role: String, Codable, CaseIterable, Sendable {
    /// May view.
    case viewer
    /// May publish and withdraw builds, and view.
    case publisher
    /// May do everything.
    case admin

    /// The corresponding right of tokens.
    package var action: Scope.Action {
        switch self {
        case .viewer: .read
        case .publisher: .publish
        case .admin: .admin
        }
    }
}

extension Scope {
    /// The role of people with this right, with the app if it is limited to one, such as
    /// `publisher:com.example.app`.
    package var roleText: String {
        let role = Role.allCases.first { $0.action == action }?.rawValue ?? action.rawValue
        return app.map { "\(role):\($0.rawValue)" } ?? role
    }
}

/// Grants a role to people: one entry of the configuration.
package struct RoleGrant: Codable, Hashable, Sendable {
    /// Whom a grant is for.
    package enum Subject: Codable, Hashable, Sendable {
        /// A verified e-mail address, in lower case.
        case email(String)
        /// The provider's identifier of one person.
        case subject(String)
        /// A value of the claim that determines roles.
        case claim(String)
    }

    package let role: Role
    /// Nil for all apps.
    package let app: BundleIdentifier?
    package let subject: Subject

    package init(_ role: Role, on app: BundleIdentifier? = nil, to subject: Subject) {
        self.role = role
        self.app = app
        self.subject = subject
    }

    /// Whether the grant is for this person.
    package func applies(to person: Person) -> Bool { subject.names(person) }

    /// The right that is granted.
    package var scope: Scope { Scope(role.action, app: app) }
}

extension RoleGrant.Subject {
    /// Whether the subject includes this person.
    func names(_ person: Person) -> Bool {
        switch self {
        case .email(let email): person.verifiedEmail.map { $0.isBytes(of: email) } ?? false
        case .subject(let subject): person.subject.isBytes(of: subject)
        case .claim(let value): person.roleValues.contains { $0.isBytes(of: value) }
        }
    }

    /// The longest e-mail address, identifier or value, in bytes.
    private static let limit = 256

    /// Parses a person as people write it: an e-mail address, or `sub:` and the provider's identifier.
    ///
    /// - Returns: nil for anything else.
    package init?(listed text: String) {
        guard text.utf8.count <= Self.limit, PrintableText.isName(text, limit: Self.limit) else {
            return nil
        }
        if text.hasBytes(first: "sub:") {
            let subject = String(text.dropFirst(4))
            guard !subject.isEmpty else { return nil }
            self = .subject(subject)
        } else {
            let parts = text.split(atByte: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts.contains(where: \.isEmpty), !text.contains(" ") else {
                return nil
            }
            self = .email(text.inLowerASCII)
        }
    }

    /// Parses a value of the claim; nil if it would be displayed ambiguously.
    package init?(claimed text: String) {
        guard PrintableText.isName(text, limit: Self.limit), text.utf8.count <= Self.limit else {
            return nil
        }
        self = .claim(text)
    }
}
