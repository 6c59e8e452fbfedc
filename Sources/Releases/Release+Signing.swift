package import Cryptography
package import Essentials
package import Inspection

extension Release {
    /// A set of signatures that this server made for the release: the same app in other bytes.
    package struct Signing: Codable, Sendable, Equatable {
        /// The IPA with these signatures.
        package let sha256: SHA256Digest
        /// The size of the IPA in bytes.
        package let size: Int
        package let chunks: ChunkDigests
        /// The blob of the `InspectionReport` of these bytes.
        package let report: SHA256Digest
        /// The last day on which phones install it; nil if nothing in it expires.
        package let installsUntil: Date?
        /// The blob of the signed statement about these bytes.
        package var provenance: SHA256Digest?
        /// The IPA from which it was made.
        package let from: SHA256Digest
        /// The UUIDs of its profiles: first the app's own, then those of nested bundles.
        package let profileUUIDs: [String]
        /// The number of devices in the app's profile; nil if it needs none.
        package let devices: Int?
        package let date: Date
        /// Who requested it: a token's name, or the user of the command line.
        package let by: String
        /// The reason, as a clause that follows `because`, or what was requested.
        package let reason: String

        /// - Parameters:
        ///   - artifact: the IPA with its metadata.
        ///   - report: its inspection report.
        ///   - from: the IPA from which it was made.
        ///   - date: when it was signed.
        ///   - actor: who requested it.
        ///   - reason: the reason.
        package init(
            _ artifact: Artifact,
            report: InspectionReport,
            from: SHA256Digest,
            date: Date,
            by actor: String,
            reason: String,
        ) {
            sha256 = artifact.sha256
            size = artifact.size
            chunks = artifact.chunks
            self.report = artifact.report
            installsUntil = report.installsUntil
            provenance = nil
            self.from = from
            profileUUIDs = report.profileUUIDs
            devices = report.profile?.devices?.count
            self.date = date
            by = actor
            self.reason = reason
        }

        /// The IPA in the form in which code that serves and judges a release uses it.
        package var archive: Archive {
            Archive(
                sha256: sha256,
                size: size,
                chunks: chunks,
                report: report,
                installsUntil: installsUntil,
                provenance: provenance,
            )
        }
    }

    /// The newest signing; nil if the release was not signed again.
    package var lastSigning: Signing? { signings?.last }

    /// The most signings that a release remembers: one a week for a year.
    ///
    /// Older ones are removed.
    package static let signingLimit = 52

    /// Returns the release with one more signing.
    ///
    /// The bytes of the previous signing are kept, for phones that are downloading them; those of earlier
    /// signings are dropped.
    package func signed(as signing: Signing) -> Release {
        var release = self
        release.signings = Array(((signings ?? []) + [signing]).suffix(Self.signingLimit))
        release.keepAgain(signing.sha256)
        let earlier = (signings ?? []).dropLast().map(\.sha256)
        release.drop(earlier.filter { $0 != signing.sha256 })
        return release
    }
}

extension InspectionReport {
    /// The UUIDs of the build's profiles, the app's own first, each once.
    package var profileUUIDs: [String] {
        var seen: Set<String> = []
        return ([profile] + nested.map(\.profile)).compactMap { $0?.uuid }
            .filter { seen.insert($0).inserted }
    }
}
