import Cryptography
import Foundation

/// An authority whose certificates bear the names of Apple's profile authority, made per test run.
struct TestAuthority: Sendable {
    let root: SigningIdentity
    let profileSigner: SigningIdentity
    private let intermediate: SigningIdentity

    /// 2026-01-15.
    static let now = Date(timeIntervalSince1970: 1_768_435_200)

    static let shared = Result { try TestAuthority(rootName: "Test Root") }
    /// Another one, that nobody trusts.
    static let stranger = Result { try TestAuthority(rootName: "Stranger Root") }

    var anchors: TrustAnchors { .apple.adding([root.certificate]) }

    init(rootName: String) throws {
        let years =
            Self.now.addingTimeInterval(
                -.days(3650)
            )...Self.now.addingTimeInterval(
                .days(3650)
            )
        let rootKey = try PrivateKey.generate(.p256)
        let rootTemplate = CertificateTemplate.authority(
            DistinguishedName(commonName: rootName),
            serial: [1],
            validity: years,
        )
        root = SigningIdentity(certificate: try rootTemplate.issued(for: rootKey), key: rootKey)
        let key = try PrivateKey.generate(.p256)
        let template = CertificateTemplate.authority(
            DistinguishedName(commonName: "Apple iPhone Certification Authority"),
            serial: [2],
            validity: years,
        )
        intermediate = SigningIdentity(
            certificate: try template.issued(for: key, by: root),
            key: key,
            chain: [root.certificate],
        )
        profileSigner = try Self.leaf(
            "Apple iPhone OS Provisioning Profile Signing",
            under: intermediate,
            until: years.upperBound,
        )
    }

    /// A certificate to list among a profile's `DeveloperCertificates`.
    func developer(_ name: String, until end: Date) throws -> Certificate {
        try Self.leaf(name, under: intermediate, until: end).certificate
    }

    private static func leaf(
        _ name: String,
        under issuer: SigningIdentity,
        until end: Date,
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(.p256)
        var template = CertificateTemplate(
            subject: DistinguishedName(commonName: name),
            serial: CertificateTemplate.randomSerial(),
            notBefore: end.addingTimeInterval(-.days(3650)),
            notAfter: end,
        )
        template.keyUsage = .digitalSignature
        return SigningIdentity(
            certificate: try template.issued(for: key, by: issuer),
            key: key,
            chain: [issuer.certificate] + issuer.chain,
        )
    }
}

extension TimeInterval {
    static func days(_ count: Double) -> TimeInterval { count * 86_400 }
}
