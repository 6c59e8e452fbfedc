import Bytes
import Cryptography

/// Takes a delivery as it comes in: its signature and its names are computed while it flows, and
/// nothing of it is kept.
package struct HookReception {
    private let fields: [String: String]
    private let secret: HookSecret
    private let authenticator: MessageAuthenticator
    private let digest = SHA256Hasher()
    private var outline: JSONOutline?
    private var isEmpty = true

    /// - Parameters:
    ///   - fields: of the request's head, by lower-case name.
    ///   - secret: of the mirror that the delivery is for.
    package init(fields: [String: String], secret: HookSecret) {
        self.fields = fields
        self.secret = secret
        authenticator = MessageAuthenticator(key: Array(secret.text.utf8))
        let isJSON = fields["content-type"]?.lowercased().containsBytes(of: "json") == true
        outline = isJSON ? JSONOutline() : nil
    }

    /// Takes the next bytes of the body.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        authenticator.update(bytes)
        digest.update(bytes)
        outline?.update(bytes)
        isEmpty = false
    }

    /// The delivery; to be called once.
    package func finish() -> HookDelivery {
        HookDelivery(
            fields: fields,
            digest: digest.finish(),
            isProven: isSigned(authenticator.finish()) && secret.isKnown,
            isWellFormed: isEmpty || outline?.isWhole != false,
        )
    }

    /// Whether it comes from a sender that has the secret; the time that it takes tells nothing of it.
    ///
    /// HMAC-SHA256 over the body, in hexadecimal, is what GitHub, Gitea, Gogs and our own form send;
    /// GitLab sends the secret itself. Every field that is there must be right. SHA-1, which GitHub
    /// sends too, counts for nothing.
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
            // Digests are of one length, so not even that of the secret shows.
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

/// What signs the deliveries for a mirror.
package struct HookSecret: Sendable {
    let text: String
    /// False where there is no such mirror, or it has no secret: a delivery costs the same then, so that
    /// no one learns which mirrors there are.
    let isKnown: Bool

    package init(_ text: String?) {
        self.text = text ?? "no mirror of that name"
        isKnown = text != nil
    }
}
