package import Cryptography
package import Essentials

/// A private replacement for Apple's certificate authorities, with the same structure and markers.
///
/// It has a root, the intermediates that iOS requires by name, the profile signers, and a distribution
/// and a development certificate of one team. No phone trusts it.
package struct SigningAuthority: Sendable {
    package let team: DevelopmentTeam
    package let root: SigningIdentity
    /// Apple iPhone Certification Authority: issues the profile signer.
    package let phoneAuthority: SigningIdentity
    /// Apple Worldwide Developer Relations: issues developer certificates.
    package let worldwideAuthority: SigningIdentity
    /// Apple System Integration CA 4: issues the signer of a profile's DER form.
    package let systemIntegration: SigningIdentity
    package let profileSigner: SigningIdentity
    /// Signs the DER form of a profile, with an intermediate of its own.
    package let secondProfileSigner: SigningIdentity
    package let distribution: SigningIdentity
    package let development: SigningIdentity

    /// Creates eight keys and their certificates, valid from the day before `date`.
    ///
    /// Apple uses RSA keys, which take up to a second each; P-256 keys are fast. The team's certificates
    /// expire after a year, as Apple's do, unless `leafExpires` is given.
    package init(
        team: DevelopmentTeam = .sample,
        keys: PrivateKey.Recipe = .p256,
        validFrom date: Date,
        leafExpires: Date? = nil,
    ) throws {
        let begins = date.addingTimeInterval(-86_400)
        let issuance = Issuance(keys: keys, begins: begins, ends: date.addingYears(20))
        let leaves = Issuance(
            keys: keys,
            begins: begins,
            ends: leafExpires ?? date.addingYears(1),
        )
        let root = try issuance.authority(Self.name("ota Sample Root CA"))
        let phone = try issuance.authority(
            Self.name("Apple iPhone Certification Authority", unit: "Certification Authority"),
            under: root,
        )
        let integration = try issuance.authority(
            Self.name("Apple System Integration CA 4", unit: "Apple Certification Authority"),
            under: root,
        )
        let worldwide = try issuance.authority(
            Self.name("Apple Worldwide Developer Relations Certification Authority", unit: "G3"),
            under: root,
            mark: AppleExtension.worldwideDeveloperRelations,
        )
        self.team = team
        self.root = root
        phoneAuthority = phone
        worldwideAuthority = worldwide
        profileSigner = try issuance.leaf(
            Self.name("Apple iPhone OS Provisioning Profile Signing"),
            under: phone,
            marks: [AppleExtension.profileSigning],
        )
        systemIntegration = integration
        secondProfileSigner = try issuance.leaf(
            Self.name("WWDR Provisioning Profile Signing"),
            under: integration,
            marks: [AppleExtension.secondProfileSigning],
        )
        distribution = try leaves.developer(.distribution, team: team, under: worldwide)
        development = try leaves.developer(.development, team: team, under: worldwide)
    }

    init(team: DevelopmentTeam, identities: [SigningIdentity]) {
        self.team = team
        root = identities[0]
        phoneAuthority = identities[1]
        worldwideAuthority = identities[2]
        systemIntegration = identities[3]
        profileSigner = identities[4]
        secondProfileSigner = identities[5]
        distribution = identities[6]
        development = identities[7]
    }

    var identities: [SigningIdentity] {
        [
            root, phoneAuthority, worldwideAuthority, systemIntegration, profileSigner,
            secondProfileSigner, distribution, development,
        ]
    }

    /// The certificate to trust, for `--trusted-ca`.
    package var anchor: Certificate { root.certificate }

    /// The organization shows that this is not Apple, in spite of Apple's common names.
    static func name(_ common: String, unit: String? = nil) -> DistinguishedName {
        DistinguishedName(
            commonName: common,
            organization: "ota Sample (not Apple)",
            organizationalUnit: unit,
            country: "US",
        )
    }
}

extension Date {
    package func addingDays(_ days: Double) -> Date { addingTimeInterval(days * 86_400) }

    /// Adds years of 365 days, as Apple's profiles do.
    package func addingYears(_ years: Double) -> Date { addingDays(years * 365) }
}
