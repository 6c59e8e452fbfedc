/// A credential of a mirror, or what identifies its server, as the mirror's readers may see it:
/// that it is there, and which it is; never the secret.
package struct CredentialDocument: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable {
        case token
        /// Lines of `git credential-store`.
        case passwords
        case sshKey = "ssh-key"
        case knownHosts = "known-hosts"
        case authority
    }

    package let kind: Kind
    /// A key's type, or an authority's common name.
    package var name: String?
    /// Of a key `SHA256:…` as ssh writes it; of an authority the SHA-256 of its certificate.
    package var fingerprint: String?
    /// Whether a key needs a passphrase, so that it cannot be used.
    package var isEncrypted: Bool?

    package init(_ kind: Kind) {
        self.kind = kind
    }

    /// Such as `an SSH key (ssh-ed25519, SHA256:…)`.
    package var words: String {
        let what =
            switch kind {
            case .token: "a token"
            case .passwords: "git credential-store passwords"
            case .sshKey: "an SSH key"
            case .knownHosts: "its own known hosts"
            case .authority: "its own authority"
            }
        let digest = fingerprint.map { kind == .authority ? "SHA-256 \($0)" : $0 }
        let passphrase = isEncrypted == true ? "unusable, because it has a passphrase" : nil
        let facts = [name, digest, passphrase].compactMap(\.self)
        return facts.isEmpty ? what : "\(what) (\(facts.joined(separator: ", ")))"
    }
}
