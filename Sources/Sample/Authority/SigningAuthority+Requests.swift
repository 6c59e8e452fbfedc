package import Cryptography
package import Essentials

extension SigningAuthority {
    /// A team certificate for a key whose private key the team keeps, as Apple issues it on request.
    package func certificate(
        _ purpose: SigningPurpose,
        for key: PublicKey,
        from begins: Date,
        until ends: Date,
    ) throws -> Certificate {
        try Issuance(keys: .p256, begins: begins, ends: ends).developer(
            purpose,
            team: team,
            key: key,
            under: worldwideAuthority,
        )
    }
}
