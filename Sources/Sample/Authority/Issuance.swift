import Cryptography
import Essentials

/// The purpose that a developer certificate is marked for.
package enum SigningPurpose: Sendable {
    case distribution
    case development
    /// Code signing without any of Apple's markers.
    case unmarked
    case macDistribution, macDevelopment

    var label: String {
        switch self {
        case .distribution: "Apple Distribution"
        case .development: "Apple Development"
        case .unmarked: "Unmarked Signer"
        case .macDistribution: "3rd Party Mac Developer Application"
        case .macDevelopment: "Mac Developer"
        }
    }

    var marks: [OID] {
        switch self {
        case .distribution: [AppleExtension.distribution, AppleExtension.universalDistribution]
        case .development: [AppleExtension.development, AppleExtension.universalDevelopment]
        case .unmarked: []
        case .macDistribution: [AppleExtension.universalDistribution]
        case .macDevelopment: [AppleExtension.universalDevelopment]
        }
    }
}

/// The kind of key and the validity period of certificates to issue.
struct Issuance {
    var keys: PrivateKey.Recipe
    var begins: Date
    var ends: Date

    func authority(
        _ name: DistinguishedName,
        under issuer: SigningIdentity? = nil,
        mark: OID? = nil,
    ) throws -> SigningIdentity {
        try issue(name, under: issuer) { template in
            template.isAuthority = true
            template.keyUsage = [.certificateSigning, .revocationListSigning]
            template.customExtensions = mark.map { [Self.flag($0, isCritical: false)] } ?? []
        }
    }

    func leaf(
        _ name: DistinguishedName,
        under issuer: SigningIdentity,
        marks: [OID],
    ) throws -> SigningIdentity {
        try issue(name, under: issuer) { template in
            template.keyUsage = [.digitalSignature]
            template.customExtensions =
                [Self.notAnAuthority] + marks.map { Self.flag($0, isCritical: false) }
        }
    }

    /// A team's certificate: UID, CN, OU, O and C in Apple's order, with critical markers.
    func developer(
        _ purpose: SigningPurpose,
        team: DevelopmentTeam,
        under issuer: SigningIdentity,
    ) throws -> SigningIdentity {
        try issue(Self.name(purpose, of: team), under: issuer) { template in
            Self.adjust(&template, for: purpose)
        }
    }

    /// A team's certificate likewise, for a key whose private key the team keeps.
    func developer(
        _ purpose: SigningPurpose,
        team: DevelopmentTeam,
        key: PublicKey,
        under issuer: SigningIdentity,
    ) throws -> Certificate {
        var template = template(Self.name(purpose, of: team), about: key)
        Self.adjust(&template, for: purpose)
        return try template.issued(for: key, by: issuer)
    }

    private static func name(
        _ purpose: SigningPurpose,
        of team: DevelopmentTeam,
    ) -> DistinguishedName {
        DistinguishedName([
            .init("0.9.2342.19200300.100.1.1", team.identifier),
            .init("2.5.4.3", "\(purpose.label): \(team.name) (\(team.identifier))"),
            .init("2.5.4.11", team.identifier),
            .init("2.5.4.10", team.name),
            .init("2.5.4.6", "US"),
        ])
    }

    private static func adjust(
        _ template: inout CertificateTemplate,
        for purpose: SigningPurpose,
    ) {
        template.keyUsage = [.digitalSignature]
        let purposes = DERBytes.sequence(DERBytes.objectIdentifier(.codeSigning))
        template.customExtensions =
            [
                notAnAuthority,
                CertificateExtension(.extendedKeyUsage, isCritical: true, value: purposes),
            ] + purpose.marks.map { flag($0, isCritical: true) }
    }

    private func issue(
        _ name: DistinguishedName,
        under issuer: SigningIdentity?,
        _ adjust: (inout CertificateTemplate) -> Void,
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(keys)
        var template = template(name, about: PublicKey(of: key))
        adjust(&template)
        return SigningIdentity(
            certificate: try template.issued(for: key, by: issuer),
            key: key,
            chain: issuer.map { [$0.certificate] + $0.chain } ?? [],
        )
    }

    private func template(
        _ name: DistinguishedName,
        about key: PublicKey,
    ) -> CertificateTemplate {
        // Distinct for each key, and positive within the 20 bytes that RFC 5280 allows.
        let digest = SHA256Digest(of: key.der).bytes
        return CertificateTemplate(
            subject: name,
            serial: [0x40 | digest[0] & 0x3f] + digest[1..<12],
            notBefore: begins,
            notAfter: ends,
        )
    }

    /// Apple's markers have no content: NULL.
    private static func flag(_ oid: OID, isCritical: Bool) -> CertificateExtension {
        CertificateExtension(oid, isCritical: isCritical, value: DERBytes.null)
    }

    private static let notAnAuthority = CertificateExtension(
        .basicConstraints,
        isCritical: true,
        value: DERBytes.sequence(),
    )
}
