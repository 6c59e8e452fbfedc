import Bundles
import Bytes
package import Identifiers

/// What a person may do who signs in at a provider; each role is a right that tokens have too.
package enum Role: String, Codable, CaseIterable, Sendable {
    /// To look.
    case viewer
    /// To publish builds and take them back, and to look.
    case publisher
    /// Everything.
    case admin

    /// The right of tokens that it stands for.
    package var action: Scope.Action {
        switch self {
        case .viewer: .read
        case .publisher: .publish
        case .admin: .admin
        }
    }
}

extension Scope {
    /// The role of people that gives this right, with the app that it is for, as in
    /// `publisher:com.example.app`.
    package var roleText: String {
        let role = Role.allCases.first { $0.action == action }?.rawValue ?? action.rawValue
        return app.map { "\(role):\($0.rawValue)" } ?? role
    }
}

/// Who gets a role: one entry of the configuration.
package struct RoleGrant: Codable, Hashable, Sendable {
    /// How a grant knows those whom it is for.
    package enum Subject: Codable, Hashable, Sendable {
        /// A verified address, lower case.
        case email(String)
        /// The provider's name for one person.
        case subject(String)
        /// A value of the claim that roles are given by.
        case claim(String)
    }

    package let role: Role
    /// Nil for every app.
    package let app: BundleIdentifier?
    package let subject: Subject

    package init(_ role: Role, on app: BundleIdentifier? = nil, to subject: Subject) {
        self.role = role
        self.app = app
        self.subject = subject
    }

    /// Whether it is for this person.
    package func applies(to person: Person) -> Bool { subject.names(person) }

    /// The right that it gives.
    package var scope: Scope { Scope(role.action, app: app) }
}

extension RoleGrant.Subject {
    /// Whether it means this person.
    func names(_ person: Person) -> Bool {
        switch self {
        case .email(let email): person.verifiedEmail.map { $0.isBytes(of: email) } ?? false
        case .subject(let subject): person.subject.isBytes(of: subject)
        case .claim(let value): person.roleValues.contains { $0.isBytes(of: value) }
        }
    }

    /// Bytes of the longest address, name or value.
    private static let limit = 256

    /// Reads who a role is for, as people write it: an address, or `sub:` and what the provider calls the
    /// person.
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

    /// Reads a value of the claim; nil for one that could not be distinguished from another.
    package init?(claimed text: String) {
        guard PrintableText.isName(text, limit: Self.limit), text.utf8.count <= Self.limit else {
            return nil
        }
        self = .claim(text)
    }
}
