/// A credential of a mirror, or the data that authenticates its server: its kind and identity, never the
/// secret.
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
    /// The type of a key, or the common name of a certificate authority.
    package var name: String?
    /// For a key `SHA256:…` as ssh prints it; for a certificate authority the SHA-256 of its certificate.
    package var fingerprint: String?
    /// Whether a key has a passphrase and therefore cannot be used.
    package var isEncrypted: Bool?

    package init(_ kind: Kind) {
        self.kind = kind
    }

    /// A description such as `an SSH key (ssh-ed25519, SHA256:…)`.
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
