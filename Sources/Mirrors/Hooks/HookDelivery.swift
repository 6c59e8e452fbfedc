import Cryptography

/// A webhook delivery from a git host after a push.
///
/// The server trusts nothing in it except that its sender has the secret; it fetches the repository to
/// learn what has changed. So it does not matter which host sends what.
package struct HookDelivery: Sendable {
    private let fields: [String: String]
    /// The digest of the body.
    private let digest: SHA256Digest
    /// Whether the sender proved that it has the mirror's secret.
    package let isProven: Bool
    /// Whether the body is valid JSON, if the request says that it is JSON.
    package let isWellFormed: Bool

    init(fields: [String: String], digest: SHA256Digest, isProven: Bool, isWellFormed: Bool) {
        self.fields = fields
        self.digest = digest
        self.isProven = isProven
        self.isWellFormed = isWellFormed
    }

    /// The largest body, in bytes.
    package static let sizeLimit = 2 << 20

    package enum Event: Sendable, Equatable {
        /// Something was pushed, or a branch or tag was created or deleted.
        case push
        /// Sent when the webhook is set up.
        case ping
        /// An event that the server ignores.
        case other
    }

    /// The identifiers by which a repeated delivery is recognised: the sender's own identifier, which is
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
