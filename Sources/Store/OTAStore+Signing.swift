import Bytes
import Cryptography
package import Identifiers
package import Inspection
package import Releases

extension OTAStore {
    /// The result of ``record(_:of:in:report:)``.
    package struct RecordedSigning: Sendable {
        package let release: Release
        /// False if the release already had the signing.
        package let isCreated: Bool
    }

    /// Makes a signing the one with which a release is installed.
    ///
    /// It writes the release, then the profiles, then the activity.
    ///
    /// The signing's blobs must be in the store already. Each step is durable before the next one starts,
    /// and repeating the call completes what a crash cut short.
    ///
    /// - Parameters:
    ///   - signing: the newest set of signatures.
    ///   - release: the release.
    ///   - app: its app.
    ///   - report: the inspection report of the signed IPA.
    /// - Returns: the changed release, and whether the signing is new.
    /// - Throws: ``ReleaseRefusal/withdrawn(_:)`` and ``ReleaseRefusal/otherBytes(_:there:)`` if the
    ///   release was withdrawn or replaced meanwhile, ``ReleaseRefusal/unknownRelease(_:)``, and
    ///   ``StoreFailure``.
    @discardableResult
    package func record(
        _ signing: Release.Signing,
        of release: ReleaseIdentifier,
        in app: BundleIdentifier,
        report: InspectionReport,
    ) throws -> RecordedSigning {
        for blob in [signing.sha256, signing.report] + [signing.provenance].compactMap(\.self) {
            guard try backend.facts(of: blob) != nil else { throw StoreFailure.missingBlob(blob) }
        }
        let change = try changeRelease(release, of: app) { release in
            // An earlier call got this far.
            if release.signings?.contains(where: { $0.sha256 == signing.sha256 }) == true { return }
            guard release.withdrawal == nil else {
                throw ReleaseRefusal.withdrawn(release.identifier)
            }
            guard release.original.sha256 == signing.from else {
                throw ReleaseRefusal.otherBytes(
                    release.identifier,
                    there: release.original.sha256,
                )
            }
            release = release.signed(as: signing)
        }
        try note(report.profilesByBundle, of: change.release)
        let activity = Activity(signing, of: release, in: app, report: report)
        if change.isChanged {
            try record(activity)
        } else {
            try recordIfMissing(activity, at: signing.date)
        }
        return RecordedSigning(release: change.release, isCreated: change.isChanged)
    }
}

extension Activity {
    fileprivate init(
        _ signing: Release.Signing,
        of release: ReleaseIdentifier,
        in app: BundleIdentifier,
        report: InspectionReport,
    ) {
        let name = report.profile.map { PrintableText(escaping: $0.name, limit: 100).text }
        let devices = signing.devices.map { " for " + Wording.count($0, "device") } ?? ""
        self.init(
            date: signing.date,
            actor: signing.by,
            event: .signedAgain,
            app: app.rawValue,
            subject: release.rawValue,
            detail: "from \(signing.from.description.prefix(12))…"
                + (name.map { " with the profile \($0)" } ?? "") + devices,
        )
    }
}
