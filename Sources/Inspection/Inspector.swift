package import Bundles
import Bytes
import CodeSignature
package import Cryptography
package import Zip

package import Essentials

/// Applies every rule to a build.
///
/// Pure: the authorities to trust and the date are arguments. What decides what is looked for is
/// read at once; the rest comes by while the archive is verified, so that each entry is read once:
///
///     let inspector = try Inspector(of: archive, trusting: .apple)
///     try archive.verify(threads: 2, sink: inspector.sink)
///     let build = inspector.build(sha256: digest, at: date)
package struct Inspector: Sendable {
    private let archive: ZipArchive
    private let anchors: TrustAnchors
    private let application: AppBundle
    private let survey: SignatureSurvey

    /// Finds the archive's one app.
    ///
    /// - Throws: ``UnreadableArchive`` when there is no one app with an Info.plist.
    package init(
        of archive: ZipArchive,
        trusting anchors: TrustAnchors,
    ) throws(UnreadableArchive) {
        self.archive = archive
        self.anchors = anchors
        do throws(BundleRefusal) {
            application = try AppBundle(in: archive)
        } catch {
            throw UnreadableArchive(error)
        }
        survey = SignatureSurvey(of: application, in: archive, trusting: anchors)
    }

    /// What an entry has to feed while the archive is verified; nil for what nothing asks for.
    package func sink(for entry: ZipEntry) -> (any EntrySink)? { survey.sink(for: entry) }

    /// Judges the build once every entry was read; `sha256` is the digest of the whole archive.
    package func build(sha256: SHA256Digest, at date: Date) -> InspectedBuild {
        let specimen = Specimen(
            application: application,
            icon: application.icon(in: archive),
            archive: archive,
            anchors: anchors,
            signatures: survey.signatures(),
            profiles: readings(at: date),
        )
        return InspectedBuild(
            application: application,
            icon: specimen.icon,
            contents: ArchiveContents(of: archive),
            report: InspectionReport(of: specimen, sha256: sha256, at: date),
        )
    }

    private func readings(at date: Date) -> [RelativePath: ProfileReading] {
        var readings: [RelativePath: ProfileReading] = [:]
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
}

/// A build that could be read: its bundles, its icon, its files, and what was found out.
package struct InspectedBuild: Sendable {
    package let application: AppBundle
    package let icon: AppIcon
    package let contents: ArchiveContents
    package let report: InspectionReport
}

extension InspectionReport {
    /// Applies every rule at `date`.
    fileprivate init(of specimen: Specimen, sha256: SHA256Digest, at date: Date) {
        let application = specimen.application
        let undated = InspectionReport(
            identity: AppIdentity(
                application,
                size: specimen.archive.source.count,
                sha256: sha256,
            ),
            profile: specimen.profile(of: application).profile.map(ProfileSummary.init),
            signature: SignatureSummary(of: application, in: specimen),
            nested: application.everyBundle.dropFirst().map { NestedBundle($0, in: specimen) },
            findings: Self.lastingFindings(in: specimen),
            inspected: date,
            installsUntil: nil,
        )
        self.init(
            identity: undated.identity,
            profile: undated.profile,
            signature: undated.signature,
            nested: undated.nested,
            findings: undated.findings(at: date),
            inspected: date,
            installsUntil: undated.expiries.first?.date,
        )
    }

    /// What the date does not change.
    private static func lastingFindings(in specimen: Specimen) -> [Finding] {
        RootCauses(in: specimen).folding(everyFinding(in: specimen))
    }

    private static func everyFinding(in specimen: Specimen) -> [Finding] {
        ExecutableRules.findings(in: specimen) + InfoPlistRules.findings(in: specimen)
            + ProfileRules.findings(in: specimen) + IdentifierRules.findings(in: specimen)
            + SignatureRules.findings(in: specimen) + SealRules.findings(in: specimen)
            + CodeRules.findings(in: specimen) + EntitlementRules.findings(in: specimen)
            + NestedRules.findings(in: specimen) + ClipRules.findings(in: specimen)
            + PluginRules.findings(in: specimen)
            + WatchRules.findings(in: specimen) + IconRules.findings(in: specimen)
            + LintRules.findings(in: specimen) + ArchiveRules.findings(in: specimen)
    }
}
