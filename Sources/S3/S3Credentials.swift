package import Essentials

/// An access key for a store; its secret is never part of a log, error or description.
package struct S3Credentials: Sendable, Equatable, CustomStringConvertible {
    package let accessKey: String
    let secret: String
    /// Set for temporary credentials.
    let sessionToken: String?
    /// Nil for credentials that do not expire.
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

    /// Seconds before their expiry at which new ones are fetched.
    static let margin: TimeInterval = 300

    /// Whether they are valid for a request that starts now, and for some time after it.
    func isFresh(at now: Date) -> Bool {
        expiration.map { now.addingTimeInterval(Self.margin) < $0 } ?? true
    }

    /// Whether they have not expired.
    func isValid(at now: Date) -> Bool { expiration.map { now < $0 } ?? true }
}
