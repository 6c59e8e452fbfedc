import Cryptography
import Foundation

/// An authority with the names in Apple's chain for signing profiles, created for one test run.
struct TestAuthority: Sendable {
    let root: SigningIdentity
    let intermediate: SigningIdentity
    let signer: SigningIdentity

    static let validity =
        Date(
            timeIntervalSince1970: 1_700_000_000
        )...Date(
            timeIntervalSince1970: 1_900_000_000
        )
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// All keys are RSA, as in Apple's chain.
    static let rsa = Result { try TestAuthority(.rsa2048) }
    static let p256 = Result { try TestAuthority(.p256) }

    var anchors: TrustAnchors { .apple.adding([root.certificate]) }

    init(
        _ recipe: PrivateKey.Recipe,
        rootName: String = "Test Root CA",
        issuerName: String = "Apple iPhone Certification Authority",
        signerName: String = "Apple iPhone OS Provisioning Profile Signing",
        signerValidity: ClosedRange<Date> = Self.validity,
    ) throws {
        let rootKey = try PrivateKey.generate(recipe)
        let rootTemplate = CertificateTemplate.authority(
            DistinguishedName(commonName: rootName, organization: "Tests", country: "US"),
            serial: [1],
            validity: Self.validity,
        )
        root = SigningIdentity(certificate: try rootTemplate.issued(for: rootKey), key: rootKey)
        let issuerKey = try PrivateKey.generate(recipe)
        let issuerTemplate = CertificateTemplate.authority(
            DistinguishedName(commonName: issuerName, organization: "Tests"),
            serial: [2],
            validity: Self.validity,
            pathLength: 0,
        )
        intermediate = SigningIdentity(
            certificate: try issuerTemplate.issued(for: issuerKey, by: root),
            key: issuerKey,
            chain: [root.certificate],
        )
        signer = try intermediate.issuing(signerName, serial: 3, recipe, signerValidity)
    }
}

extension SigningIdentity {
    /// A signer under this authority.
    func issuing(
        _ name: String,
        serial: UInt8,
        _ recipe: PrivateKey.Recipe = .p256,
        _ validity: ClosedRange<Date> = TestAuthority.validity,
        adjusting adjust: (inout CertificateTemplate) -> Void = { _ in },
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(recipe)
        var template = CertificateTemplate(
            subject: DistinguishedName(commonName: name, organization: "Tests", country: "US"),
            serial: [serial],
            notBefore: validity.lowerBound,
            notAfter: validity.upperBound,
        )
        template.keyUsage = .digitalSignature
        adjust(&template)
        return SigningIdentity(
            certificate: try template.issued(for: key, by: self),
            key: key,
            chain: [certificate] + chain,
        )
    }
}
