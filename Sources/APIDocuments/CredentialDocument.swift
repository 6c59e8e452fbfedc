import Cryptography
import GitRepositories
package import Mirrors

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

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// Those of a mirror; one for each authority.
    package static func all(of secrets: MirrorSecrets) -> [CredentialDocument] {
        var all: [CredentialDocument] = []
        if let passwords = secrets.passwords {
            all.append(Self(passwords.contains("://") ? .passwords : .token))
        }
        if let key = secrets.key { all.append(sshKey(key)) }
        if secrets.knownHosts != nil { all.append(Self(.knownHosts)) }
        if let authority = secrets.authority { all += authorities(authority) }
        return all
    }

    private static func sshKey(_ pem: String) -> CredentialDocument {
        var document = Self(.sshKey)
        let facts = SSHKeyFacts(pem: pem)
        document.name = facts?.type
        document.fingerprint = facts?.fingerprint
        document.isEncrypted = facts.map(\.isEncrypted)
        return document
    }

    /// One without a name and a fingerprint where the text cannot be read.
    private static func authorities(_ pem: String) -> [CredentialDocument] {
        guard let certificates = try? Certificate.chain(pem: pem) else { return [Self(.authority)] }
        return certificates.map { certificate in
            var document = Self(.authority)
            document.name = certificate.description
            document.fingerprint = certificate.sha256.description
            return document
        }
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
