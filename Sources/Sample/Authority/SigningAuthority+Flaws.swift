package import Cryptography
package import Essentials

/// Identities with one flaw each, for tests that need an invalid signature.
extension SigningAuthority {
    /// Another team certificate, by default for this authority's team and from its worldwide authority.
    ///
    /// Another issuer violates Apple's policy.
    package func identity(
        _ purpose: SigningPurpose,
        team: DevelopmentTeam? = nil,
        from begins: Date,
        until ends: Date,
        issuer: SigningIdentity? = nil,
        keys: PrivateKey.Recipe = .p256,
    ) throws -> SigningIdentity {
        try Issuance(keys: keys, begins: begins, ends: ends).developer(
            purpose,
            team: team ?? self.team,
            under: issuer ?? worldwideAuthority,
        )
    }

    /// A distribution certificate that expired the day before `date`.
    package func expired(at date: Date) throws -> SigningIdentity {
        try identity(.distribution, from: date.addingYears(-1), until: date.addingDays(-1))
    }

    /// A distribution certificate of another team, from the same issuer.
    package func otherTeam(at date: Date) throws -> SigningIdentity {
        try identity(
            .distribution,
            team: .other,
            from: date.addingDays(-1),
            until: date.addingYears(1),
        )
    }

    /// A profile signer with the right names, but issued by another of the authorities.
    package func impostorProfileSigner(at date: Date) throws -> SigningIdentity {
        try Issuance(keys: .p256, begins: date.addingDays(-1), ends: date.addingYears(1)).leaf(
            Self.name("Apple iPhone OS Provisioning Profile Signing"),
            under: worldwideAuthority,
            marks: [AppleExtension.profileSigning],
        )
    }
}
