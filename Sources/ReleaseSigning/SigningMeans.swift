import Bundles
package import Cryptography
package import Essentials
import Identifiers
import Inspection
package import Releases
package import Signing
package import Store

/// With what a release is signed: a team's identity, and profiles.
package struct SigningMeans: Sendable {
    package let team: Team
    /// Those to choose from, more than are needed.
    package let profiles: [SigningProfile]
    /// Whether they were given in place of the team's own.
    private let areGiven: Bool
    /// Of the certificate that signs.
    package let certificate: SHA256Digest
    /// When certificate and profiles are all valid, at the earliest.
    package let begins: Date

    /// A team with its own profiles, or with others.
    ///
    /// A profile of the team that cannot be read any more is passed over.
    ///
    /// - Parameters:
    ///   - team: whose identity signs.
    ///   - given: profiles in place of the team's own; empty for those.
    ///   - store: where the team's profiles are.
    ///   - anchors: who is believed to have signed profiles.
    ///   - date: for which they are judged.
    /// - Throws: ``ReleaseSigningRefusal/noIdentity(team:)``, `ProfileRefusal` for a given profile that
    ///   is none, and `StoreFailure`.
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

    /// Whether signatures of a release can still be made with it: each of their profiles is among these,
    /// allows the certificate, and is valid.
    ///
    /// - Parameters:
    ///   - signing: what was made with the same certificate.
    ///   - date: now.
    /// - Returns: false if they have to be made again.
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

    /// What signing a release with it would change.
    ///
    /// - Throws: ``ReleaseSigningRefusal`` where it cannot be signed, for given profiles with what is wrong
    ///   with them, and `StoreFailure`.
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
