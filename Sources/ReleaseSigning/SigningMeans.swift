import Bundles
package import Cryptography
package import Essentials
import Identifiers
import Inspection
package import Releases
package import Signing
package import Store

/// The means to sign a release: a team's identity and profiles.
package struct SigningMeans: Sendable {
    package let team: Team
    /// The profiles to select from.
    package let profiles: [SigningProfile]
    /// Whether they were given instead of the team's own.
    private let areGiven: Bool
    /// The digest of the signing certificate.
    package let certificate: SHA256Digest
    /// The earliest date at which the certificate and all profiles are valid.
    package let begins: Date

    /// Uses a team with its own profiles, or with others.
    ///
    /// A profile of the team that can no longer be read is skipped.
    ///
    /// - Parameters:
    ///   - team: the team whose identity signs.
    ///   - given: profiles used instead of the team's own; empty to use those.
    ///   - store: the store with the team's profiles.
    ///   - anchors: the trusted authorities for profiles.
    ///   - date: the date at which they are judged.
    /// - Throws: ``ReleaseSigningRefusal/noIdentity(team:)``, `ProfileRefusal` for a given file that is
    ///   not a profile, and `StoreFailure`.
    package init(
        _ team: Team,
        given: [[UInt8]] = [],
        in store: OTAStore,
        trusting anchors: TrustAnchors,
        at date: Date,
    ) throws {
        guard let identity = team.identity else {
            throw ReleaseSigningRefusal.noIdentity(team: team.identifier.rawValue)
        }
        self.team = team
        certificate = identity.sha256
        areGiven = !given.isEmpty
        profiles =
            if given.isEmpty {
                try team.profiles.compactMap { profile in
                    guard let bytes = try store.unlessDamaged({ try store.bytes(of: profile) })
                    else { return nil }
                    return try? SigningProfile(
                        bytes,
                        at: profile.name,
                        trusting: anchors,
                        date: date,
                    )
                }
            } else {
                try given.enumerated().map { index, bytes in
                    try SigningProfile(
                        bytes,
                        at: "profile \(index + 1)",
                        trusting: anchors,
                        date: date,
                    )
                }
            }
        begins = profiles.map(\.facts.created).reduce(identity.begins, max)
    }

    /// Whether existing signatures of a release are still valid: each of their profiles is among these,
    /// allows the certificate, and has not expired.
    ///
    /// - Parameters:
    ///   - signing: a signing with the same certificate.
    ///   - date: the present.
    /// - Returns: false if the release must be signed again.
    package func stillAllow(_ signing: Release.Signing, at date: Date) -> Bool {
        guard let identity = team.identity, identity.begins <= date, date < identity.expires else {
            return false
        }
        let allowed = profiles.map(\.facts).filter { profile in
            profile.expires > date
                && profile.certificates.contains { $0.sha256 == certificate }
        }
        return Set(signing.profileUUIDs).isSubset(of: allowed.map(\.uuid))
    }

    /// What would change if a release was signed.
    ///
    /// - Throws: ``ReleaseSigningRefusal`` when it cannot be signed, with the specific reason for given
    ///   profiles; `StoreFailure`.
    package func proposal(
        for release: Release,
        in store: OTAStore,
        at date: Date,
    ) throws -> SigningProposal {
        guard release.withdrawal == nil else {
            throw ReleaseSigningRefusal.withdrawn(release.identifier)
        }
        guard release.keepsOriginal else {
            throw ReleaseSigningRefusal.originalPruned(release.identifier)
        }
        let report = try store.report(of: release)
        if areGiven, let identity = team.identity,
            let refusal = ProfileChoice.refusal(
                for: report,
                among: profiles,
                signedBy: identity,
                of: team.identifier.rawValue,
                at: date,
            )
        {
            throw refusal
        }
        let choice = try ProfileChoice(
            for: report,
            among: profiles,
            of: team.identifier.rawValue,
            isMadeHere: !areGiven && team.account?.isActive ?? false,
            signedBy: certificate,
            at: date,
        )
        return SigningProposal(choice, insteadOf: report, at: date)
    }
}
