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
        profile.fault(
            signedBy: identity.certificate.sha256,
            named: "\(identity.certificate)",
            of: identity.certificate.subject.organizationalUnit ?? "",
            at: date,
        )
    }
}

extension ProvisioningProfile {
    /// Why nothing can be signed with the profile, whatever bundle it grants.
    ///
    /// - Parameters:
    ///   - certificate: the digest of the certificate that signs.
    ///   - certificateName: of that certificate, for the fault.
    ///   - signer: the team of that certificate.
    ///   - date: now.
    /// - Returns: nil where it can be used.
    package func fault(
        signedBy certificate: SHA256Digest,
        named certificateName: String,
        of signer: String,
        at date: Date,
    ) -> BundleFault? {
        if case .unverified(let reason) = trust { return .profileUnproven(name, reason: reason) }
        if expires < date { return .profileExpired(name, on: expires) }
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
