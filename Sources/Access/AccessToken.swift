import Bundles
import Cryptography
package import Essentials
package import Identifiers

/// A token as the store keeps it; the secret itself is kept nowhere.
package struct AccessToken: Codable, Equatable, Sendable {
    /// Eight hexadecimal digits, part of the secret and no secret itself.
    package let identifier: String
    /// What people call it, such as `ci`.
    package let name: String
    package let scopes: [Scope]
    package let created: Date
    /// Nil for one that lasts until it is revoked.
    package let expires: Date?
    package internal(set) var revoked: Date?
    let digest: SHA256Digest

    /// Why it opens nothing at `date`; nil when it does.
    package func refusal(at date: Date) -> TokenRefusal? {
        if revoked != nil { return .revoked(name: name) }
        if let expires, date >= expires { return .expired(name: name, on: expires) }
        return nil
    }
}

/// Who acts: the proven holder of a token, a person who has signed in, or a user of this machine.
package struct Principal: Equatable, Sendable {
    /// As activity names it: the token's name, or the person's.
    package let name: String
    /// Nil for a person, and for a user of this machine who works on the store directly.
    package let token: String?
    /// The session of a person; nil for all others.
    package let session: String?
    /// ``Person/uploader`` of who signed in; nil for all others, and for a session by link.
    package let person: String?
    package let scopes: [Scope]

    /// A user who can write the store's files may do everything.
    package static func local(_ name: String) -> Principal {
        Principal(name: name, token: nil, scopes: [Scope(.admin)])
    }

    /// Whether it is a user of this machine who works on the store directly.
    package var isLocal: Bool { token == nil && session == nil }

    /// What its uploads belong to: the token, the person in whatever session, or a session by link.
    package var uploader: String {
        token ?? person.map { Self.identityMark + $0 } ?? session.map { Self.personMark + $0 } ?? ""
    }

    /// The session behind ``uploader``; nil where that is a token or a person.
    package static func session(ofUploader text: String) -> String? {
        rest(of: text, behind: personMark)
    }

    /// ``Person/uploader`` of the person behind ``uploader``; nil where that is a token or a session.
    package static func person(ofUploader text: String) -> String? {
        rest(of: text, behind: identityMark)
    }

    private static func rest(of text: String, behind mark: String) -> String? {
        text.utf8.starts(with: mark.utf8)
            ? String(decoding: text.utf8.dropFirst(mark.utf8.count), as: UTF8.self) : nil
    }

    /// No identifier of a token begins with one of them.
    private static let personMark = "person "
    private static let identityMark = "identity "

    /// Whether it may publish some app.
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

    /// A person in a session; without `person` one by link.
    init(session: String, of person: Person? = nil, name: String, scopes: [Scope]) {
        self.name = name
        token = nil
        self.session = session
        self.person = person?.uploader
        self.scopes = scopes
    }
}
