package import Bundles
import Bytes
package import Cryptography
import PropertyLists
package import Zip

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Applies every rule to a build.
///
/// Pure: the authorities to trust and the date are arguments. Contents other than Info.plists,
/// profiles and icons are not read; ``ZipArchive/verify(threads:progress:)`` proves the rest.
package struct Inspector: Sendable {
    package let anchors: TrustAnchors

    package init(anchors: TrustAnchors) {
        self.anchors = anchors
    }

    /// Reads the archive's one app and judges it; `sha256` is the digest of the whole archive.
    ///
    /// - Throws: ``UnreadableArchive`` when there is no one app with an Info.plist.
    package func inspect(
        _ archive: ZipArchive,
        sha256: SHA256Digest,
        at date: Date,
    ) throws(UnreadableArchive) -> InspectedBuild {
        let application: AppBundle
        do throws(BundleRefusal) {
            application = try AppBundle(in: archive)
        } catch {
            throw UnreadableArchive(error)
        }
        let icon = application.icon(in: archive)
        let profiles = readings(of: application, at: date)
        let undated = InspectionReport(
            identity: AppIdentity(application, size: archive.source.count, sha256: sha256),
            profile: profiles[application.path]?.profile.map(ProfileSummary.init),
            nested: application.everyBundle.dropFirst().map {
                NestedBundle($0, profile: profiles[$0.path]?.profile.map(ProfileSummary.init))
            },
            findings: Self.findings(
                in: Specimen(application: application, icon: icon, profiles: profiles)
            ),
            inspected: date,
            installsUntil: nil,
        )
        return InspectedBuild(
            application: application,
            icon: icon,
            report: undated.judged(at: date),
        )
    }

    private func readings(of application: AppBundle, at date: Date) -> [String: ProfileReading] {
        var readings: [String: ProfileReading] = [:]
        var budget = AppBundle.ReadingLimits.ipa.total
        for bundle in application.everyBundle {
            guard let envelope = bundle.profile else { continue }
            do throws(ProfileRefusal) {
                let profile = try envelope.judged(against: anchors, at: date)
                budget -= profile.entitlements.weight
                guard budget > 0 else { throw .notAProfile("its entitlements are too large") }
                readings[bundle.path] = .read(profile)
            } catch {
                readings[bundle.path] = .unreadable(error)
            }
        }
        return readings
    }

    /// What the date does not change.
    private static func findings(in specimen: Specimen) -> [Finding] {
        ExecutableRules.findings(in: specimen) + InfoPlistRules.findings(in: specimen)
            + ProfileRules.findings(in: specimen) + IdentifierRules.findings(in: specimen)
            + NestedRules.findings(in: specimen) + WatchRules.findings(in: specimen)
            + IconRules.findings(in: specimen)
    }
}

/// A build that could be read: its bundles, its icon, and what was found out.
package struct InspectedBuild: Sendable {
    package let application: AppBundle
    package let icon: AppIcon
    package let report: InspectionReport
}

extension InspectionReport {
    /// The same facts with the findings of `date`.
    fileprivate func judged(at date: Date) -> InspectionReport {
        InspectionReport(
            identity: identity,
            profile: profile,
            nested: nested,
            findings: findings(at: date),
            inspected: date,
            installsUntil: expiries.first?.date,
        )
    }
}
