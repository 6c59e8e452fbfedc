import Cryptography
import Essentials
package import HTTPServing

/// The challenges that a server can respond to, given its ports.
package struct ACMEProofs: Sendable {
    /// At least one, in order of preference.
    let kinds: [ACMEChallengeKind]
    private let certificates: ChallengeCertificates

    /// - Parameters:
    ///   - certificates: the certificates that the TLS port presents to an authority.
    ///   - hasPlainPort: whether the server also serves plain HTTP.
    package init(over certificates: ChallengeCertificates, hasPlainPort: Bool) {
        self.certificates = certificates
        kinds = hasPlainPort ? [.http, .tls] : [.tls]
    }

    /// The challenge for an attempt: the one that last succeeded, and another after each failure.
    func kind(after attempts: Int, accepted: ACMEChallengeKind?) -> ACMEChallengeKind {
        let first = accepted.flatMap { kinds.firstIndex(of: $0) } ?? 0
        return kinds[(first + attempts) % kinds.count]
    }

    /// Presents the proof in handshakes for a name (RFC 8737 section 3): a self-signed certificate with
    /// the digest of the key authorization in a critical extension.
    func show(_ authorization: String, for name: String, at date: Date) throws {
        let key = try PrivateKey.generate(.p256)
        let hour: TimeInterval = 3600
        var template = CertificateTemplate(
            subject: DistinguishedName(commonName: "ACME challenge"),
            serial: CertificateTemplate.randomSerial(),
            notBefore: date.addingTimeInterval(-hour),
            notAfter: date.addingTimeInterval(24 * hour),
        )
        template.hosts = [.dns(name)]
        let digest = SHA256Digest(of: Array(authorization.utf8)).bytes
        template.customExtensions = [
            CertificateExtension(
                .acmeIdentifier,
                isCritical: true,
                value: DERBytes.octetString(digest),
            )
        ]
        let identity = ServerIdentity(chain: [try template.issued(for: key)], key: key)
        try certificates.show(identity, for: name)
    }

    func end(for name: String) {
        certificates.end(for: name)
    }
}
