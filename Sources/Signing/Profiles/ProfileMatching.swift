package import Bundles
import Bytes
package import Cryptography
package import Essentials

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

    /// The profile for a bundle: one with its exact identifier before any wildcard, the longest wildcard
    /// first, and the newest usable one among those with the same.
    ///
    /// - Throws: ``BundleFault``: why there is none, or why the matching one cannot be used.
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

    /// Ranks an exact identifier above any wildcard, and a longer wildcard above a shorter one.
    private static func rank(_ profile: SigningProfile) -> Int {
        guard let identifier = profile.facts.applicationIdentifier else { return 0 }
        return identifier.isWildcard ? identifier.pattern.utf8.count : .max
    }

    private func fault(of profile: ProvisioningProfile) -> BundleFault? {
        profile.fault(
            signedBy: identity.certificate.sha256,
            named: "\(identity.certificate)",
            of: identity.certificate.subject.organizationalUnit ?? "",
            at: date,
        )
    }
}

extension ProvisioningProfile {
    /// Why the profile cannot be used for signing, regardless of the bundle.
    ///
    /// - Parameters:
    ///   - certificate: the digest of the signer's certificate.
    ///   - certificateName: the name of that certificate, for the error.
    ///   - signer: the team of that certificate.
    ///   - date: the present.
    /// - Returns: nil when the profile can be used.
    package func fault(
        signedBy certificate: SHA256Digest,
        named certificateName: String,
        of signer: String,
        at date: Date,
    ) -> BundleFault? {
        if case .unverified(let reason) = trust { return .profileUnproven(name, reason: reason) }
        if expires <= date { return .profileExpired(name, on: expires) }
        if !platforms.isEmpty, !platforms.contains(where: { $0.isBytes(of: "iOS") }) {
            return .profileForOtherPlatform(name, platforms)
        }
        if kind == .appStore { return .profileForStore(name) }
        if let team, !team.isBytes(of: signer) {
            return .profileOfOtherTeam(name, team: team, signer: signer)
        }
        if !certificates.contains(where: { $0.sha256 == certificate }) {
            return .certificateNotInProfile(name, certificate: certificateName)
        }
        return nil
    }
}
