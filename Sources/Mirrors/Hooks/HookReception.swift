import Bytes
import Cryptography

/// Reads a delivery as it arrives: computes its signature and identifiers, and keeps nothing of the body.
package struct HookReception {
    private let fields: [String: String]
    private let secret: HookSecret
    private let authenticator: MessageAuthenticator
    private let digest = SHA256Hasher()
    private var outline: JSONOutline?
    private var isEmpty = true

    /// - Parameters:
    ///   - fields: the request's header fields, by lower-case name.
    ///   - secret: the secret of the mirror that the delivery is for.
    package init(fields: [String: String], secret: HookSecret) {
        self.fields = fields
        self.secret = secret
        authenticator = MessageAuthenticator(key: Array(secret.text.utf8))
        let isJSON = fields["content-type"]?.lowercased().containsBytes(of: "json") == true
        outline = isJSON ? JSONOutline() : nil
    }

    /// Reads the next bytes of the body.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        authenticator.update(bytes)
        digest.update(bytes)
        outline?.update(bytes)
        isEmpty = false
    }

    /// Returns the delivery; call this once.
    package func finish() -> HookDelivery {
        HookDelivery(
            fields: fields,
            digest: digest.finish(),
            isProven: isSigned(authenticator.finish()) && secret.isKnown,
            isWellFormed: isEmpty || outline?.isWhole != false,
        )
    }

    /// Whether the sender has the secret, compared in constant time.
    ///
    /// GitHub, Gitea, Gogs and `ota`'s own scheme send an HMAC-SHA256 of the body in hexadecimal; GitLab
    /// sends the secret itself. Every such field that is present must be right. SHA-1, which GitHub sends
    /// too, is ignored.
    private func isSigned(_ code: [UInt8]) -> Bool {
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
            // Digests have the same length, so that the comparison does not reveal even the secret's
            // length.
            let given = SHA256Digest(of: Array(token.utf8)).bytes
            let wanted = SHA256Digest(of: Array(secret.text.utf8)).bytes
            guard constantTimeEqual(given, wanted) else { return false }
            isProven = true
        }
        return isProven
    }

    private func isCode(_ text: String, _ code: [UInt8]) -> Bool {
        guard let given = Hex.decode(text) else { return false }
        return constantTimeEqual(given, code)
    }
}

/// The secret with which deliveries for a mirror are signed.
package struct HookSecret: Sendable {
    let text: String
    /// False if there is no such mirror, or it has no secret.
    ///
    /// A delivery takes the same time then, so that no one learns which mirrors exist.
    let isKnown: Bool

    package init(_ text: String?) {
        self.text = text ?? "no mirror of that name"
        isKnown = text != nil
    }
}
