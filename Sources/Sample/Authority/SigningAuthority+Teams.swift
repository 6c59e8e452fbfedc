import Cryptography
package import Essentials

extension SigningAuthority {
    /// The same authorities with certificates of another team, as Apple has one root for all teams.
    ///
    /// - Parameters:
    ///   - team: the team.
    ///   - date: the certificates are valid from one day before it.
    ///   - end: their expiry; nil for one year.
    /// - Returns: an authority with the same root.
    /// - Throws: `IssuingFailure` or `MalformedKey` when a certificate cannot be created.
    package func authority(
        of team: DevelopmentTeam,
        validFrom date: Date,
        leafExpires end: Date? = nil,
    ) throws -> SigningAuthority {
        let leaves = Issuance(
            keys: .p256,
            begins: date.addingTimeInterval(-86_400),
            ends: end ?? date.addingYears(1),
        )
        let shared = identities.dropLast(2)
        return SigningAuthority(
            team: team,
            identities: shared + [
                try leaves.developer(.distribution, team: team, under: worldwideAuthority),
                try leaves.developer(.development, team: team, under: worldwideAuthority),
            ],
        )
    }
}
