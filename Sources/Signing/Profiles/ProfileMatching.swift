import Bundles
import Bytes
import Cryptography
import Essentials

/// Finds the profile for each bundle that needs one, by its bundle identifier.
struct ProfileMatching {
    private let profiles: [SigningProfile]
    private let identity: SigningIdentity
    private let date: Date

    init(_ profiles: [SigningProfile], identity: SigningIdentity, at date: Date) {
        self.profiles = profiles
        self.identity = identity
        self.date = date
    }

    /// The profile for a bundle: one for exactly its identifier before any pattern, of patterns the
    /// longest, and of several for the same the newest that can be used.
    ///
    /// - Throws: why there is none, or why the one there is cannot be used.
    func profile(
        for identifier: String,
        kind: BundleKind,
    ) throws(BundleFault) -> SigningProfile {
        let granting = profiles.filter {
            $0.facts.applicationIdentifier?.grants(identifier) ?? false
        }
        guard let rank = granting.map(Self.rank).max() else {
            throw .profileMissing(
                identifier: identifier,
                kind: kind,
                offered: profiles.map(\.facts).map {
                    "\($0.name) (\($0.applicationIdentifier?.rawValue ?? "–"))"
                },
            )
        }
        let best = granting.filter { Self.rank($0) == rank }
            .sorted { $0.facts.created > $1.facts.created }
        if let usable = best.first(where: { fault(of: $0.facts) == nil }) { return usable }
        guard let newest = best.first, let fault = fault(of: newest.facts) else {
            throw .profileMissing(identifier: identifier, kind: kind, offered: [])
        }
        throw fault
    }

    /// An identifier is more than any pattern, and a longer pattern more than a shorter one.
    private static func rank(_ profile: SigningProfile) -> Int {
        guard let identifier = profile.facts.applicationIdentifier else { return 0 }
        return identifier.isWildcard ? identifier.pattern.utf8.count : .max
    }

    private func fault(of profile: ProvisioningProfile) -> BundleFault? {
        if case .unverified(let reason) = profile.trust {
            return .profileUnproven(profile.name, reason: reason)
        }
        if profile.expires < date { return .profileExpired(profile.name, on: profile.expires) }
        if !profile.platforms.isEmpty, !profile.platforms.contains(where: { $0.isBytes(of: "iOS") })
        {
            return .profileForOtherPlatform(profile.name, profile.platforms)
        }
        if profile.kind == .appStore { return .profileForStore(profile.name) }
        let signer = identity.certificate.subject.organizationalUnit ?? ""
        if let team = profile.team, !team.isBytes(of: signer) {
            return .profileOfOtherTeam(profile.name, team: team, signer: signer)
        }
        if !profile.certificates.contains(where: { $0.der == identity.certificate.der }) {
            return .certificateNotInProfile(
                profile.name,
                certificate: "\(identity.certificate)",
            )
        }
        return nil
    }
}
