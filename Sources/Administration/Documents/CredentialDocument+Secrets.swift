package import APIDocuments
import Cryptography
import GitRepositories
package import Mirrors

extension CredentialDocument {
    /// The credentials of a mirror; one for each authority.
    package static func all(of secrets: MirrorSecrets) -> [CredentialDocument] {
        var all: [CredentialDocument] = []
        if secrets.passwords != nil {
            all.append(Self(secrets.hasTokenAlone ? .token : .passwords))
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

    /// Without a name and a fingerprint if the text cannot be read.
    private static func authorities(_ pem: String) -> [CredentialDocument] {
        guard let certificates = try? Certificate.chain(pem: pem) else { return [Self(.authority)] }
        return certificates.map { certificate in
            var document = Self(.authority)
            document.name = certificate.description
            document.fingerprint = certificate.sha256.description
            return document
        }
    }
}
