import Bundles
import Bytes
package import Cryptography
package import Essentials
import Identifiers
package import Inspection
import Releases
package import Signing

/// Selects one of a team's profiles for each bundle of a build.
///
/// An exact bundle identifier takes precedence over a wildcard, and a longer wildcard over a shorter one;
/// among several profiles for the same identifier, one of the build's present kind, and then the newest.
package struct ProfileChoice: Sendable {
    /// By the bundle's path; several bundles may share a profile.
    package let byPath: [String: SigningProfile]
    /// The selected profiles without duplicates, the app's own first.
    package let profiles: [SigningProfile]

    /// - Parameters:
    ///   - report: the report on the build.
    ///   - candidates: the available profiles.
    ///   - team: their team, for the error.
    ///   - isMadeHere: whether this server creates the team's profiles at Apple, for the error.
    ///   - certificate: the digest of the signing certificate; nil if unknown.
    ///   - date: the present.
    /// - Throws: ``ReleaseSigningRefusal/noProfile(bundles:team:isMadeHere:)`` with all bundles without a
    ///   profile.
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

    /// Why the given profiles are not sufficient for a build, as specifically as possible.
    ///
    /// - Parameters:
    ///   - report: the report on the build.
    ///   - given: the profiles used instead of the team's own.
    ///   - identity: the signing identity.
    ///   - team: the identity's team.
    ///   - date: the present.
    /// - Returns: the error for the first bundle that cannot be signed; nil when there is a usable
    ///   profile for each.
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
        /// The kind of its present profile.
        let kind: ProfileKind?
    }

    /// The app and its nested bundles that have a profile of their own.
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

    /// The criteria in order of importance; greater values are better.
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
