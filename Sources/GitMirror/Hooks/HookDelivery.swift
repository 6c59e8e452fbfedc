import Cryptography
import Bytes
import Foundation

/// What a git host sends when somebody has pushed.
///
/// Nothing of what it says is believed but that it comes from somebody who has the secret: the
/// repository itself is asked what has changed. So it does not matter which host sends what.
package struct HookDelivery: Sendable {
    private let fields: [String: String]
    private let body: [UInt8]

    /// - Parameters:
    ///   - fields: of the request's head, by lower-case name.
    ///   - body: as it came, to the byte.
    package init(fields: [String: String], body: [UInt8]) {
        self.fields = fields
        self.body = body
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

    /// The names under which it may have been seen before: that of the sender, which nobody has signed,
    /// and what it says, which somebody has.
    package var identifiers: [String] {
        let names = [
            "x-github-delivery", "x-gitea-delivery", "x-gogs-delivery", "x-gitlab-event-uuid",
            "x-ota-delivery",
        ]
        let named = names.compactMap { fields[$0] }.first
            .map { SHA256Digest(of: Array($0.utf8)).description.prefix(32) }
        let said = SHA256Digest(of: body).description.prefix(32)
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

    /// Whether it comes from somebody who has the secret; the time that it takes tells nothing of it.
    ///
    /// HMAC-SHA256 over the body, in hexadecimal, is what GitHub, Gitea, Gogs and our own form send;
    /// GitLab sends the secret itself. Every field that is there must be right. SHA-1, which GitHub
    /// sends too, counts for nothing.
    package func isSigned(with secret: String) -> Bool {
        let code = authenticationCode(of: body, key: Array(secret.utf8))
        var isProven = false
        for name in ["x-hub-signature-256", "x-ota-signature"] {
            guard let text = fields[name] else { continue }
            guard let hex = text.droppingPrefix("sha256="), isCode(hex, code) else { return false }
            isProven = true
        }
        for name in ["x-gitea-signature", "x-gogs-signature"] {
            guard let text = fields[name] else { continue }
            guard isCode(text, code) else { return false }
            isProven = true
        }
        if let token = fields["x-gitlab-token"] {
            // Digests are of one length, so not even that of the secret shows.
            let given = SHA256Digest(of: Array(token.utf8)).description
            let wanted = SHA256Digest(of: Array(secret.utf8)).description
            guard constantTimeEqual(Array(given.utf8), Array(wanted.utf8)) else { return false }
            isProven = true
        }
        return isProven
    }

    /// Whether a body that says that it is JSON is some.
    package var isWellFormed: Bool {
        guard fields["content-type"]?.lowercased().contains("json") == true, !body.isEmpty else {
            return true
        }
        // Refuses what is nested deeper than 512.
        return (try? JSONSerialization.jsonObject(with: Data(body))) != nil
    }

    private func isCode(_ text: String, _ code: [UInt8]) -> Bool {
        guard let given = Hex.decode(text) else { return false }
        return constantTimeEqual(given, code)
    }
}
