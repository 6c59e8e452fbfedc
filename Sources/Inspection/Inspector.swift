package import Bundles
package import Bytes
import CodeSignature
package import Cryptography
package import Zip

package import Essentials

/// Applies every rule to a build.
///
/// Pure: the trusted authorities and the date are arguments. The initialiser reads the entries that
/// determine what to check; the others are fed to sinks while the archive is verified, so that each entry
/// is read once:
///
///     let inspector = try Inspector(of: archive, trusting: .apple)
///     try archive.verify(threads: 2, sink: inspector.sink)
///     let build = inspector.build(sha256: digest, at: date)
package struct Inspector: Sendable {
    private let archive: ZipArchive
    private let anchors: TrustAnchors
    private let application: AppBundle
    private let survey: SignatureSurvey

    /// Finds the archive's app and reads its bundles.
    ///
    /// - Throws: ``UnreadableArchive`` when the archive does not have exactly one app with an Info.plist.
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

    /// The sink for an entry's contents while the archive is verified; nil for an entry that no rule
    /// needs.
    package func sink(for entry: ZipEntry) -> (any EntrySink)? { survey.sink(for: entry) }

    /// Accepts the digests of a resource that is not read during verification because the caller has
    /// already hashed the same bytes.
    ///
    /// Never for code.
    package func assume(_ digests: [DigestAlgorithm: [UInt8]], of path: RelativePath) {
        survey.assume(digests, of: path)
    }

    /// Accepts the target of a symbolic link likewise.
    package func assume(target: RelativePath, of path: RelativePath) {
        survey.assume(target: target, of: path)
    }

    /// Judges the build at `date`, once every entry has been read; `sha256` is the digest of the archive.
    package func build(sha256: SHA256Digest, at date: Date) -> InspectedBuild {
        let input = InspectionInput(
            application: application,
            icon: application.icon(in: archive),
            archive: archive,
            anchors: anchors,
            signatures: survey.signatures(),
            profiles: readings(at: date),
        )
        return InspectedBuild(
            application: application,
            icon: input.icon,
            contents: ArchiveContents(of: archive),
            report: InspectionReport(of: input, sha256: sha256, at: date),
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

/// A readable build: its bundles, icon, file sizes and report.
package struct InspectedBuild: Sendable {
    package let application: AppBundle
    package let icon: AppIcon
    package let contents: ArchiveContents
    package let report: InspectionReport
}

extension InspectionReport {
    /// Applies every rule at `date`.
    fileprivate init(of input: InspectionInput, sha256: SHA256Digest, at date: Date) {
        let application = input.application
        let undated = InspectionReport(
            identity: AppIdentity(
                application,
                size: input.archive.source.count,
                sha256: sha256,
            ),
            profile: input.profile(of: application).profile.map(ProfileSummary.init),
            signature: SignatureSummary(of: application, in: input),
            nested: application.everyBundle.dropFirst().map { NestedBundle($0, in: input) },
            findings: Self.lastingFindings(in: input),
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

    /// The findings that do not depend on the date.
    private static func lastingFindings(in input: InspectionInput) -> [Finding] {
        RootCauses(in: input).folding(everyFinding(in: input))
    }

    private static func everyFinding(in input: InspectionInput) -> [Finding] {
        ExecutableRules.findings(in: input) + InfoPlistRules.findings(in: input)
            + ProfileRules.findings(in: input) + IdentifierRules.findings(in: input)
            + SignatureRules.findings(in: input) + SealRules.findings(in: input)
            + CodeRules.findings(in: input) + EntitlementRules.findings(in: input)
            + NestedRules.findings(in: input) + ClipRules.findings(in: input)
            + PluginRules.findings(in: input)
            + WatchRules.findings(in: input) + IconRules.findings(in: input)
            + LintRules.findings(in: input) + ArchiveRules.findings(in: input)
    }
}
