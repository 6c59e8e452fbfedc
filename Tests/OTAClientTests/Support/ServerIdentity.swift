import Cryptography
import Foundation
import NIOSSL
import OTAClient

/// A TLS server's certificate, with its own authority.
struct ServerIdentity {
    let authority: Certificate
    let certificate: Certificate
    let context: NIOSSLContext

    init(for names: [String]) throws {
        let validity = Date(timeIntervalSinceNow: -3600)...Date(timeIntervalSinceNow: 86_400)
        let authorityKey = try PrivateKey.generate(.p256)
        let authority = try CertificateTemplate.authority(
            DistinguishedName(commonName: "Test Authority"),
            serial: CertificateTemplate.randomSerial(),
            validity: validity,
        ).issued(for: authorityKey, by: nil)
        let key = try PrivateKey.generate(.p256)
        let certificate = try CertificateTemplate.server(
            names.map { AlternativeName($0) },
            serial: CertificateTemplate.randomSerial(),
            validity: validity,
        ).issued(for: key, by: SigningIdentity(certificate: authority, key: authorityKey))
        context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try [certificate, authority].map {
                    .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
                },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem)
                ),
            )
        )
        self.authority = authority
        self.certificate = certificate
    }

    init(for name: String) throws {
        try self.init(for: [name])
    }

    /// Trust in the authority, and in the fingerprint of the issuer above the certificate.
    var trustInAuthority: [ServerTrust] {
        [.authorities([authority]), .fingerprint(authority.sha256)]
    }

    /// Every kind of trust in this identity.
    var everyTrust: [ServerTrust] { trustInAuthority + [.fingerprint(certificate.sha256)] }
}
