package import Cryptography
package import Essentials
package import Inspection

extension Release {
    /// One set of signatures that this server made of the release: the same app in other bytes.
    package struct Signing: Codable, Sendable, Equatable {
        /// The IPA with these signatures.
        package let sha256: SHA256Digest
        /// Bytes of the IPA.
        package let size: Int
        package let chunks: ChunkDigests
        /// The blob of the `InspectionReport` of these bytes.
        package let report: SHA256Digest
        /// The day after which no phone installs it, and nil when nothing in it expires.
        package let installsUntil: Date?
        /// The blob of the signed statement about these bytes.
        package var provenance: SHA256Digest?
        /// The IPA that was signed.
        package let from: SHA256Digest
        /// Of the profiles in it, the app's own first, then those inside it.
        package let profileUUIDs: [String]
        /// How many devices the app's profile lists; nil when it needs none.
        package let devices: Int?
        package let date: Date
        /// Who asked for it: a token's name, or the user of the command line.
        package let by: String
        /// Why, as a clause that follows `because`, or what was asked for.
        package let reason: String

        /// - Parameters:
        ///   - artifact: the bytes and what was found out about them.
        ///   - report: what is in them.
        ///   - from: the IPA that was signed.
        ///   - date: when they were signed.
        ///   - actor: who asked for it.
        ///   - reason: why.
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

        /// The bytes, as those who serve and judge a release see them.
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

    /// The newest signing; nil while the release is as it was published.
    package var lastSigning: Signing? { signings?.last }

    /// How many signings a release remembers, which is one a week for a year.
    ///
    /// Older ones are forgotten.
    package static let signingLimit = 52

    /// The release with one more signing.
    ///
    /// The bytes of the signing before it are kept, for phones that are downloading them; those of
    /// earlier signings are given up.
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
    /// The profiles of the build, the app's own first, each once.
    package var profileUUIDs: [String] {
        var seen: Set<String> = []
        return ([profile] + nested.map(\.profile)).compactMap { $0?.uuid }
            .filter { seen.insert($0).inserted }
    }
}
