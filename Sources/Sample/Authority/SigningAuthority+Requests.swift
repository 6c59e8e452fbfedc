package import Cryptography
package import Essentials

extension SigningAuthority {
    /// A team certificate about a key whose private half the team keeps to itself, as Apple issues one
    /// on request.
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
