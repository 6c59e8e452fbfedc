import Bundles
import Bytes
package import Cryptography
package import Essentials
import Identifiers
package import Inspection
import Releases
package import Signing

/// Which of a team's profiles each bundle of a build gets.
///
/// The exact bundle identifier wins over a pattern, a longer pattern over a shorter one; of several
/// profiles for the same identifier the kind that the build has now, and then the newest.
package struct ProfileChoice: Sendable {
    /// One for each bundle that needs one, by the bundle's path; the same profile may serve several.
    package let byPath: [String: SigningProfile]
    /// The app's own first, each once.
    package let profiles: [SigningProfile]

    /// - Parameters:
    ///   - report: what is in the build.
    ///   - candidates: the profiles that there are.
    ///   - team: whose they are, for the refusal.
    ///   - isMadeHere: whether this server makes the team's profiles at Apple, for the refusal.
    ///   - certificate: the digest of the certificate that signs; nil where that is not known.
    ///   - date: now.
    /// - Throws: ``ReleaseSigningRefusal/noProfile(bundles:team:isMadeHere:)`` with all bundles without one.
    package init(
        for report: InspectionReport,
        among candidates: [SigningProfile],
        of team: String,
        isMadeHere: Bool = false,
        signedBy certificate: SHA256Digest?,
        at date: Date,
    ) throws(ReleaseSigningRefusal) {
        let usable = candidates.filter { candidate in
            let facts = candidate.facts
            let isOurs =
                certificate.map { digest in facts.certificates.contains { $0.sha256 == digest } }
                ?? true
            return facts.expires > date && facts.kind != .appStore && isOurs
        }
        var byPath: [String: SigningProfile] = [:]
        var chosen: [SigningProfile] = []
        var missing: [String] = []
        for bundle in Self.bundles(of: report) {
            let best = usable.filter { Self.grants($0, bundle.identifier) }
                .max { Self.isWorse($0, than: $1, for: bundle.kind) }
            guard let best else {
                if !missing.contains(bundle.identifier) { missing.append(bundle.identifier) }
                continue
            }
            byPath[bundle.path] = best
            if !chosen.contains(where: { $0.facts.uuid == best.facts.uuid }) { chosen.append(best) }
        }
        guard missing.isEmpty else {
            throw .noProfile(bundles: missing, team: team, isMadeHere: isMadeHere)
        }
        self.byPath = byPath
        profiles = chosen
    }

    /// Why given profiles do not do for a build, as exactly as it can be said.
    ///
    /// - Parameters:
    ///   - report: what is in the build.
    ///   - given: profiles in place of the team's.
    ///   - identity: what signs.
    ///   - team: whose identity that is.
    ///   - date: now.
    /// - Returns: what keeps the first bundle from being signed; nil where a profile can be used for each.
    static func refusal(
        for report: InspectionReport,
        among given: [SigningProfile],
        signedBy identity: TeamIdentity,
        of team: String,
        at date: Date,
    ) -> ReleaseSigningRefusal? {
        for bundle in bundles(of: report) {
            let granting = given.filter { grants($0, bundle.identifier) }
            let faults = granting.map { profile in
                profile.facts.fault(
                    signedBy: identity.sha256,
                    named: identity.commonName,
                    of: team,
                    at: date,
                )
            }
            if faults.contains(nil) { continue }
            guard
                let best = granting.indices.max(by: {
                    isWorse(granting[$0], than: granting[$1], for: bundle.kind)
                }), let fault = faults[best]
            else {
                let offered = given.map(\.facts).map {
                    "\($0.name) (\($0.applicationIdentifier?.rawValue ?? "–"))"
                }
                let missing = BundleFault.profileMissing(
                    identifier: bundle.identifier,
                    kind: bundle.code,
                    offered: offered,
                )
                return .profileUnusable(missing, bundle: bundle.identifier, file: "")
            }
            return .profileUnusable(
                fault,
                bundle: bundle.identifier,
                file: granting[best].place,
            )
        }
        return nil
    }

    private struct Wanting {
        let path: String
        let identifier: String
        let code: BundleKind
        /// Of the profile that it has now.
        let kind: ProfileKind?
    }

    /// The app, and the bundles in it that carry a profile of their own.
    private static func bundles(of report: InspectionReport) -> [Wanting] {
        let kind = report.profile?.type
        let own = report.identity.bundleIdentifier.map {
            Wanting(
                path: report.identity.path,
                identifier: $0.rawValue,
                code: .application,
                kind: kind,
            )
        }
        let nested = report.nested.filter(\.kind.hasOwnProfile).compactMap { bundle in
            bundle.bundleIdentifier.map {
                Wanting(
                    path: bundle.path,
                    identifier: $0,
                    code: bundle.kind,
                    kind: bundle.profile?.type ?? kind,
                )
            }
        }
        return [own].compactMap(\.self) + nested
    }

    private static func grants(_ profile: SigningProfile, _ bundle: String) -> Bool {
        profile.facts.applicationIdentifier?.grants(bundle) ?? false
    }

    private static func isWorse(
        _ left: SigningProfile,
        than right: SigningProfile,
        for kind: ProfileKind?,
    ) -> Bool {
        rank(left, kind).lexicographicallyPrecedes(rank(right, kind))
            || rank(left, kind) == rank(right, kind) && left.facts.uuid < right.facts.uuid
    }

    /// What counts first comes first; the greater is the better.
    private static func rank(_ profile: SigningProfile, _ kind: ProfileKind?) -> [Double] {
        let facts = profile.facts
        let identifier = facts.applicationIdentifier
        let length = identifier.map { $0.pattern.utf8.count } ?? 0
        let preference: Double =
            switch facts.kind {
            case kind: 3
            case .adHoc: 2
            case .enterprise: 1
            case .development, .appStore: 0
            }
        return [
            identifier?.isWildcard == false ? 1 : 0, Double(length), preference,
            facts.created.timeIntervalSince1970, facts.expires.timeIntervalSince1970,
        ]
    }
}
