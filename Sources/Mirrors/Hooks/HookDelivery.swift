import Cryptography

/// What a git host sends after a push.
///
/// The server believes nothing in it except that its sender has the secret: the repository itself
/// is asked what has changed. So it does not matter which host sends what.
package struct HookDelivery: Sendable {
    private let fields: [String: String]
    /// Of the body.
    private let digest: SHA256Digest
    /// Whether it comes from a sender that has the mirror's secret.
    package let isProven: Bool
    /// Whether a body that says that it is JSON is some.
    package let isWellFormed: Bool

    init(fields: [String: String], digest: SHA256Digest, isProven: Bool, isWellFormed: Bool) {
        self.fields = fields
        self.digest = digest
        self.isProven = isProven
        self.isWellFormed = isWellFormed
    }

    /// Bytes of a body.
    package static let sizeLimit = 2 << 20

    package enum Event: Sendable, Equatable {
        /// Something was pushed, or a branch or tag made or deleted.
        case push
        /// Sent when the webhook is set up.
        case ping
        /// Nothing that is acted on.
        case other
    }

    /// The names under which it may have been seen before: the identifier of the sender, which is
    /// not signed, and the digest of the content, which is.
    package var identifiers: [String] {
        let names = [
            "x-github-delivery", "x-gitea-delivery", "x-gogs-delivery", "x-gitlab-event-uuid",
            "x-ota-delivery",
        ]
        let named = names.compactMap { fields[$0] }.first
            .map { SHA256Digest(of: Array($0.utf8)).description.prefix(32) }
        let said = digest.description.prefix(32)
        return [named.map { "n\($0)" }, "b\(said)"].compactMap(\.self)
    }

    package var event: Event {
        let names = ["x-github-event", "x-gitea-event", "x-gogs-event", "x-gitlab-event"]
        guard let name = names.compactMap({ fields[$0] }).first else { return .push }
        switch name.lowercased() {
        case "push", "create", "delete", "push hook", "tag push hook", "repository_update":
            return .push
        case "ping": return .ping
        default: return .other
        }
    }
}
