package import Essentials

/// A key that may use a store; the secret half reaches no log, error or description.
package struct S3Credentials: Sendable, Equatable, CustomStringConvertible {
    package let accessKey: String
    let secret: String
    /// Of credentials that end.
    let sessionToken: String?
    /// nil for credentials that do not end by themselves.
    package let expiration: Date?

    package init(
        accessKey: String,
        secret: String,
        sessionToken: String? = nil,
        expiration: Date? = nil,
    ) {
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken
        self.expiration = expiration
    }

    package var description: String { "the access key \(accessKey.prefix(4))…" }

    /// Seconds before their end from which on new ones are fetched.
    static let margin: TimeInterval = 300

    /// Whether they last for a request that begins now, and for a while after it.
    func isFresh(at now: Date) -> Bool {
        expiration.map { now.addingTimeInterval(Self.margin) < $0 } ?? true
    }

    /// Whether they count at all.
    func isValid(at now: Date) -> Bool { expiration.map { now < $0 } ?? true }
}
