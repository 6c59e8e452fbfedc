package import Foundation
import Bundles
import Cryptography
import Identifiers
package import Inspection
package import Releases

/// One set of signatures that the server made of a release.
package struct SigningEntry: Codable, Equatable, Sendable {
    package let sha256: String
    package let size: Int
    /// The app's own first.
    package let profileUUIDs: [String]
    /// How many the app's profile lists; null when it needs none.
    @OrNull package var devices: Int?
    package let date: Date
    package let by, reason: String

    package init(_ signing: Release.Signing) {
        sha256 = signing.sha256.description
        size = signing.size
        profileUUIDs = signing.profileUUIDs
        date = signing.date
        by = signing.by
        reason = signing.reason
        devices = signing.devices
    }
}

/// One release as documents show it.
package struct ReleaseEntry: Codable, Equatable, Sendable {
    package let app, name, version, build, sha256, channel, state, publisher: String
    package let release: String
    package let size: Int
    package let published: Date
    package let installsUntil: Date?
    /// The channels that offer it now.
    package let offeredOn: [String]
    package let minimumOS: String?
    package let families: [String]
    package let tag, commit: String?
    /// Who built it, and from what, as the publisher reported it; nil where nothing is known.
    package let origin: BuildOrigin?
    package let notes: String
    /// Each time that the server signed it again, the newest last; nil from older servers.
    package let signings: [SigningEntry]?
    /// Who pinned it, when and why; nil for one that rules may remove.
    package let pin: ReleasePin?

    package init(_ release: Release, in app: AppRecord) {
        self.app = release.bundleIdentifier.rawValue
        name = release.name
        version = release.version
        build = release.build
        self.release = release.identifier.rawValue
        sha256 = release.sha256.description
        channel = release.channel.rawValue
        state = release.withdrawal == nil ? "available" : "withdrawn"
        publisher = release.publisher
        size = release.size
        published = release.published
        installsUntil = release.installsUntil
        offeredOn = app.channels.filter { $0.value == release.identifier }.keys.sorted()
            .map(\.rawValue)
        minimumOS = release.minimumOS
        families = release.families.map(\.name)
        tag = release.tag
        commit = release.commit
        origin = release.origin
        notes = release.notes
        signings = (release.signings ?? []).map(SigningEntry.init)
        pin = release.pin
    }

    package var isWithdrawn: Bool { state == "withdrawn" }
}

/// `{"schema": 1, "release": {…}}`.
package struct ReleaseDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let release: ReleaseEntry
    /// After a promotion, how it compares with what the channel offered before.
    package let findings: [FindingDocument]?
    /// After a promotion, what the channel offered before: promote it to undo this one.
    package let previous: String?
    /// After a promotion, when the channel ends; nil if it has no end.
    package let channelEnds: Date?

    package init(
        release: ReleaseEntry,
        findings: [Finding]? = nil,
        previous: ReleaseIdentifier? = nil,
        channelEnds: Date? = nil,
    ) {
        self.release = release
        self.channelEnds = channelEnds
        self.previous = previous?.rawValue
        self.findings = findings?.map { FindingDocument($0) }
    }
}

/// Releases, the newest first, and how many older ones there are beyond them.
package struct ReleasesDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let releases: [ReleaseEntry]
    package let older: Int
    /// Releases and apps whose record is damaged or missing; absent where there are none.
    package let unreadable: [ErrorDocument.Failure]?

    package init(releases: [ReleaseEntry], older: Int, unreadable: [ErrorDocument.Failure]?) {
        self.releases = releases
        self.older = older
        self.unreadable = unreadable
    }
}

/// One page of an app's releases, the newest first.
package struct ReleasePageDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let releases: [ReleaseEntry]
    /// How many there are beyond this page.
    package let older: Int
    /// What to ask behind for them.
    @OrNull package var next: String?

    package init(releases: [ReleaseEntry], older: Int, next: String?) {
        self.releases = releases
        self.older = older
        self.next = next
    }
}
