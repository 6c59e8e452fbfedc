import Bundles
package import Cryptography
package import Essentials
package import Identifiers
package import Inspection

/// A published build of an app: `apps/{bundle-id}/releases/{version}-{build}.json`.
///
/// It has the data that pages need; the full inspection report is a separate blob.
package struct Release: Codable, Sendable, Equatable {
    package var schema = 1
    package let bundleIdentifier: BundleIdentifier
    /// The name under the icon, from the build's Info.plist.
    package let name: String
    /// `CFBundleShortVersionString`.
    package let version: String
    /// `CFBundleVersion`.
    package let build: String
    /// The published IPA; only ``original`` uses it, everything else uses ``current``.
    private let publishedSHA256: SHA256Digest
    private let publishedSize: Int
    private let publishedChunks: ChunkDigests
    package let icons: Icons
    private let publishedReport: SHA256Digest
    /// The minimum iOS version that the build declares.
    package let minimumOS: String?
    package let families: [DeviceFamily]
    private let publishedInstallsUntil: Date?
    package let published: Date
    /// The publisher: a token's name, or the user of the command line.
    package let publisher: String
    /// The channel on which it was first published.
    package var channel: ChannelName
    /// The other channels to which it was published or promoted, oldest first; nil for none.
    package var otherChannels: [ChannelName]?
    /// The release notes in Markdown, at most 64 KiB.
    package var notes: String
    package let tag: String?
    package let commit: String?
    /// The builder and source; nil if the publisher did not report them.
    package let origin: BuildOrigin?
    /// True if this server built it, so that ``origin`` is what the server observed, not a report; nil
    /// otherwise.
    package let isBuiltHere: Bool?
    /// True if this server signed the published IPA because it was unsigned; nil otherwise.
    package let isSignedHere: Bool?
    /// The blob of the signed statement about the origin of the published IPA.
    package var publishedProvenance: SHA256Digest?
    /// The signings by this server, newest last; nil for none.
    package var signings: [Signing]?
    /// The IPAs whose bytes are no longer kept, as ``Prune`` decides; nil for none.
    package var droppedArchives: [SHA256Digest]?
    /// The dSYMs of its executables; nil for none.
    package var symbols: ReleaseSymbols?
    /// Set while the release is pinned, so that rules do not remove it.
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

    /// The published IPA, whether or not the release was signed again.
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
    /// The validated identity of the build, safe to use in a path.
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

    /// The publication's date, publisher, channel and notes.
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

    /// The SHA-256 digests of the IPA's chunks, for the manifest's `sha256-size` and `sha256s`.
    package struct ChunkDigests: Codable, Sendable, Equatable {
        /// The size in bytes of each chunk but the last.
        package let size: Int
        package let digests: [SHA256Digest]

        package init(size: Int, digests: [SHA256Digest]) {
            self.size = size
            self.digests = digests
        }
    }

    /// The blobs of the two icons in a manifest; standard PNG files.
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
        /// Publishing or promoting it again restores it.
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
