import Cryptography
import Foundation

/// A certificate for this machine from a private authority.
struct HostIdentity {
    let root: Certificate
    /// The certificate, its authority and the key.
    let pem: String

    init() throws {
        let now = Date()
        let validity = now.addingTimeInterval(-3600)...now.addingTimeInterval(86_400)
        let rootKey = try PrivateKey.generate(.p256)
        root = try CertificateTemplate.authority(
            DistinguishedName(commonName: "Other Host Root"),
            serial: CertificateTemplate.randomSerial(),
            validity: validity,
        ).issued(for: rootKey)
        let key = try PrivateKey.generate(.p256)
        let certificate = try CertificateTemplate.server(
            [AlternativeName("127.0.0.1")],
            serial: CertificateTemplate.randomSerial(),
            validity: validity,
        ).issued(for: key, by: SigningIdentity(certificate: root, key: rootKey))
        pem = certificate.pem + root.pem + key.pem
    }
}
