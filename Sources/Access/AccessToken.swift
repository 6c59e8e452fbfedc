import Bundles
import Cryptography
package import Essentials
package import Identifiers

/// A token as stored; the secret itself is not stored.
package struct AccessToken: Codable, Equatable, Sendable {
    /// Eight hexadecimal digits, which are part of the secret but not secret themselves.
    package let identifier: String
    /// The token's name, such as `ci`.
    package let name: String
    package let scopes: [Scope]
    package let created: Date
    /// Nil for a token that is valid until it is revoked.
    package let expires: Date?
    package internal(set) var revoked: Date?
    let digest: SHA256Digest

    /// Why the token is not valid at `date`; nil if it is.
    package func refusal(at date: Date) -> TokenRefusal? {
        if revoked != nil { return .revoked(name: name) }
        if let expires, date >= expires { return .expired(name: name, on: expires) }
        return nil
    }
}

/// The actor: the authenticated holder of a token, a person who has signed in, or a user of this machine.
package struct Principal: Equatable, Sendable {
    /// The name in the activity: the token's, or the person's.
    package let name: String
    /// The token's identifier; nil for a person, and for a user of this machine who works on the store
    /// directly.
    package let token: String?
    /// The identifier of a person's session; nil for all others.
    package let session: String?
    /// The ``Person/uploader`` of a signed-in person; nil for all others, and for a session by link.
    package let person: String?
    package let scopes: [Scope]

    /// A user who can write to the store's files may do everything.
    package static func local(_ name: String) -> Principal {
        Principal(name: name, token: nil, scopes: [Scope(.admin)])
    }

    /// Whether this is a user of this machine who works on the store directly.
    package var isLocal: Bool { token == nil && session == nil }

    /// The owner of its uploads: the token, the person in any session, or a session by link.
    package var uploader: String {
        token ?? person.map { Self.identityMark + $0 } ?? session.map { Self.personMark + $0 } ?? ""
    }

    /// The session in an ``uploader``; nil if that is a token or a person.
    package static func session(ofUploader text: String) -> String? {
        rest(of: text, behind: personMark)
    }

    /// The ``Person/uploader`` in an ``uploader``; nil if that is a token or a session.
    package static func person(ofUploader text: String) -> String? {
        rest(of: text, behind: identityMark)
    }

    private static func rest(of text: String, behind mark: String) -> String? {
        text.utf8.starts(with: mark.utf8)
            ? String(decoding: text.utf8.dropFirst(mark.utf8.count), as: UTF8.self) : nil
    }

    /// No token's identifier begins with one of these.
    private static let personMark = "person "
    private static let identityMark = "identity "

    /// Whether it may publish at least one app.
    package var mayPublish: Bool { scopes.contains { $0.allows(.publish, on: $0.app) } }

    package func may(_ action: Scope.Action, on app: BundleIdentifier? = nil) -> Bool {
        scopes.contains { $0.allows(action, on: app) }
    }

    init(name: String, token: String?, scopes: [Scope]) {
        self.name = name
        self.token = token
        session = nil
        person = nil
        self.scopes = scopes
    }

    /// A person in a session; nil `person` for a session by link.
    init(session: String, of person: Person? = nil, name: String, scopes: [Scope]) {
        self.name = name
        token = nil
        self.session = session
        self.person = person?.uploader
        self.scopes = scopes
    }
}
