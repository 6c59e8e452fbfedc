package import Cryptography
import Essentials

/// A private replacement for the authority that certifies the keys of Apple's devices.
///
/// It has the name that policies require and, like the original, short keys, SHA-1 and expired dates. No
/// server trusts it unless configured to.
package struct DeviceAuthority: Sendable {
    package let identity: SigningIdentity

    package static let name = "Apple iPhone Device CA"

    /// 2007-04-16, seven years before the original's expiry.
    private static let begins = Date(timeIntervalSince1970: 1_176_681_600)

    package init(
        name: String = Self.name,
        keys: PrivateKey.Recipe = .rsa1024,
    ) throws {
        let key = try PrivateKey.generate(keys)
        var template = CertificateTemplate.authority(
            DistinguishedName(
                commonName: name,
                organization: "ota Sample (not Apple)",
                organizationalUnit: "Apple iPhone",
                country: "US",
            ),
            serial: [1],
            validity: Self.begins...Self.begins.addingYears(7),
        )
        template.digest = .sha1
        identity = SigningIdentity(certificate: try template.issued(for: key), key: key)
    }

    /// The certificate to trust.
    package var anchor: Certificate { identity.certificate }

    /// A device's key with its certificate, which has expired like the original's early ones.
    package func certify(
        _ name: String,
        keys: PrivateKey.Recipe = .rsa1024,
        digest: DigestAlgorithm = .sha1,
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(keys)
        let fingerprint = SHA256Digest(of: key.publicKey).bytes
        var template = CertificateTemplate(
            subject: DistinguishedName(
                commonName: name,
                organization: "ota Sample (not Apple)",
                organizationalUnit: "iPhone",
                country: "US",
            ),
            serial: [0x40 | fingerprint[0] & 0x3f] + fingerprint[1..<8],
            notBefore: Self.begins.addingYears(1),
            notAfter: Self.begins.addingYears(4),
        )
        template.keyUsage = [.digitalSignature, .keyEncipherment]
        template.extendedKeyUsages = [.serverAuthentication]
        template.digest = digest
        return SigningIdentity(
            certificate: try template.issued(for: key, by: identity),
            key: key,
            chain: [anchor],
        )
    }
}

extension DeviceAuthority {
    /// The certificate and its private key.
    package var privatePEM: String { identity.certificate.pem + identity.key.pem }

    /// Reads what ``privatePEM`` wrote.
    package init(pem: String) throws {
        let key = try PrivateKey(pem: pem)
        guard let certificate = try Certificate.chain(pem: pem).first, key.matches(certificate)
        else { throw SampleFailure.incompleteAuthority("its certificate with the key") }
        identity = SigningIdentity(certificate: certificate, key: key)
    }
}
