import Bundles
package import Cryptography
package import Essentials
package import Identifiers
package import Inspection

/// One published build of an app: `apps/{bundle-id}/releases/{version}-{build}.json`.
///
/// What the pages need is here; the whole inspection report is a blob beside it.
package struct Release: Codable, Sendable, Equatable {
    package var schema = 1
    package let bundleIdentifier: BundleIdentifier
    /// The name under the icon, as the build's Info.plist has it.
    package let name: String
    /// `CFBundleShortVersionString`.
    package let version: String
    /// `CFBundleVersion`.
    package let build: String
    /// The IPA that was published; everything but ``original`` asks for ``current``.
    private let publishedSHA256: SHA256Digest
    private let publishedSize: Int
    private let publishedChunks: ChunkDigests
    package let icons: Icons
    private let publishedReport: SHA256Digest
    /// The least iOS version, as the build states it.
    package let minimumOS: String?
    package let families: [DeviceFamily]
    private let publishedInstallsUntil: Date?
    package let published: Date
    /// Who published: a token's name, or the user of the command line.
    package let publisher: String
    /// Where it was published first.
    package var channel: ChannelName
    /// Where it was published or promoted since, the oldest first; nil for nowhere else.
    package var otherChannels: [ChannelName]?
    /// Release notes, Markdown, at most 64 KiB.
    package var notes: String
    package let tag: String?
    package let commit: String?
    /// Who built it, of what; nil where the publisher did not say.
    package let origin: BuildOrigin?
    /// Set where this server built it itself, so that ``origin`` is what the server saw and not a
    /// report.
    package let isBuiltHere: Bool?
    /// Set where this server signed the IPA that was published, because it was unsigned.
    package let isSignedHere: Bool?
    /// The blob of the signed statement of where the IPA that was published came from.
    package var publishedProvenance: SHA256Digest?
    /// Each time that this server signed the release again, the newest last; nil for none.
    package var signings: [Signing]?
    /// The IPAs whose bytes are no longer kept, as ``Prune`` decides; nil for none.
    package var droppedArchives: [SHA256Digest]?
    /// The dSYMs of its programs; nil for none.
    package var symbols: ReleaseSymbols?
    /// Set while the release is to stay whatever rules say.
    package var pin: ReleasePin?
    /// Set while the release is withdrawn.
    package var withdrawal: Withdrawal?

    package init(
        report: InspectionReport,
        identity: Identity,
        artifact: Artifact,
        publication: Publication,
    ) {
        bundleIdentifier = identity.bundleIdentifier
        name = identity.name
        version = identity.version
        build = identity.build
        publishedSHA256 = artifact.sha256
        publishedSize = artifact.size
        publishedChunks = artifact.chunks
        icons = artifact.icons
        publishedReport = artifact.report
        minimumOS = report.identity.minimumOS
        families = identity.families
        publishedInstallsUntil = report.installsUntil
        published = publication.date
        publisher = publication.publisher
        channel = publication.channel
        otherChannels = nil
        notes = publication.notes
        tag = publication.tag
        commit = publication.commit
        origin = publication.origin
        isBuiltHere = publication.isBuiltHere ? true : nil
        isSignedHere = publication.isSignedHere ? true : nil
        publishedProvenance = nil
        signings = nil
        droppedArchives = nil
        symbols = nil
        pin = nil
        withdrawal = nil
    }

    private enum CodingKeys: String, CodingKey {
        case schema, bundleIdentifier, name, version, build, icons, minimumOS, families
        case published, publisher, channel, otherChannels, notes, tag, commit, origin, isBuiltHere
        case isSignedHere
        case signings, droppedArchives, symbols, pin, withdrawal
        case publishedSHA256 = "sha256"
        case publishedSize = "size"
        case publishedChunks = "chunks"
        case publishedReport = "report"
        case publishedInstallsUntil = "installsUntil"
        case publishedProvenance = "provenance"
    }

    /// The IPA that was published, whatever was signed again since.
    package var original: Archive {
        Archive(
            sha256: publishedSHA256,
            size: publishedSize,
            chunks: publishedChunks,
            report: publishedReport,
            installsUntil: publishedInstallsUntil,
            provenance: publishedProvenance,
        )
    }

    package var identifier: ReleaseIdentifier {
        ReleaseIdentifier(version: version, build: build)
    }
}

extension Release {
    /// What names the build; parsed, so that it may become a path.
    package struct Identity: Sendable {
        package let bundleIdentifier: BundleIdentifier
        package let name: String
        package let version: String
        package let build: String
        package let families: [DeviceFamily]

        package init(
            bundleIdentifier: BundleIdentifier,
            name: String,
            version: String,
            build: String,
            families: [DeviceFamily],
        ) {
            self.bundleIdentifier = bundleIdentifier
            self.name = name
            self.version = version
            self.build = build
            self.families = families
        }
    }

    /// The blobs of the build.
    package struct Artifact: Sendable {
        package let sha256: SHA256Digest
        package let size: Int
        package let chunks: ChunkDigests
        package let icons: Icons
        package let report: SHA256Digest

        package init(
            sha256: SHA256Digest,
            size: Int,
            chunks: ChunkDigests,
            icons: Icons,
            report: SHA256Digest,
        ) {
            self.sha256 = sha256
            self.size = size
            self.chunks = chunks
            self.icons = icons
            self.report = report
        }
    }

    /// When, by whom and with which words.
    package struct Publication: Sendable {
        package let date: Date
        package let publisher: String
        package let channel: ChannelName
        package let notes: String
        package let tag: String?
        package let commit: String?
        package let origin: BuildOrigin?
        package let isBuiltHere: Bool
        package let isSignedHere: Bool

        package init(
            date: Date,
            publisher: String,
            channel: ChannelName,
            notes: String = "",
            tag: String? = nil,
            commit: String? = nil,
            origin: BuildOrigin? = nil,
            isBuiltHere: Bool = false,
            isSignedHere: Bool = false,
        ) {
            self.date = date
            self.publisher = publisher
            self.channel = channel
            self.notes = notes
            self.tag = tag
            self.commit = commit
            self.origin = origin
            self.isBuiltHere = isBuiltHere
            self.isSignedHere = isSignedHere
        }
    }

    /// SHA-256 of every piece of the IPA, for the manifest's `sha256-size` and `sha256s`.
    package struct ChunkDigests: Codable, Sendable, Equatable {
        /// Bytes of each piece but the last.
        package let size: Int
        package let digests: [SHA256Digest]

        package init(size: Int, digests: [SHA256Digest]) {
            self.size = size
            self.digests = digests
        }
    }

    /// The blobs of the two icons that a manifest names; ordinary PNG.
    package struct Icons: Codable, Sendable, Equatable {
        package let small: SHA256Digest
        package let large: SHA256Digest

        /// - Parameters:
        ///   - small: 57 × 57 pixels, `display-image`.
        ///   - large: 512 × 512 pixels, `full-size-image`.
        package init(small: SHA256Digest, large: SHA256Digest) {
            self.small = small
            self.large = large
        }
    }

    /// Why and when a release was withdrawn.
    package struct Withdrawal: Codable, Sendable, Equatable {
        package let date: Date
        package let actor: String
        package let reason: String
        /// The channel whose end withdrew it; nil if a person did.
        ///
        /// Anyone who publishes or promotes it again restores it.
        package let endedChannel: ChannelName?

        package init(
            date: Date,
            actor: String,
            reason: String,
            endedChannel: ChannelName? = nil,
        ) {
            self.date = date
            self.actor = actor
            self.reason = reason
            self.endedChannel = endedChannel
        }
    }
}
