package import Foundation
import Bundles
import Cryptography
import Identifiers
package import Inspection
package import Releases

/// A set of signatures that the server made for a release.
package struct SigningEntry: Codable, Equatable, Sendable {
    package let sha256: String
    package let size: Int
    /// The app's own profile comes first.
    package let profileUUIDs: [String]
    /// The number of devices in the app's profile; null if it needs none.
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

/// A release in the API and in `--json`.
package struct ReleaseEntry: Codable, Equatable, Sendable {
    package let app, name, version, build, sha256, channel, state, publisher: String
    package let release: String
    package let size: Int
    package let published: Date
    package let installsUntil: Date?
    /// The channels that currently offer it.
    package let offeredOn: [String]
    package let minimumOS: String?
    package let families: [String]
    package let tag, commit: String?
    /// The builder and source, as the publisher reported them; nil if unknown.
    package let origin: BuildOrigin?
    package let notes: String
    /// The signings by the server, newest last; nil from older servers.
    package let signings: [SigningEntry]?
    /// Who pinned it, when and why; nil if rules may remove it.
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
    /// After a promotion, the findings compared with the release that the channel offered before.
    package let findings: [FindingDocument]?
    /// After a promotion, the release that the channel offered before; promoting it undoes the promotion.
    package let previous: String?
    /// After a promotion, when the channel ends; nil if it does not.
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

/// Releases, newest first, and the number of older ones that are left out.
package struct ReleasesDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let releases: [ReleaseEntry]
    package let older: Int
    /// The releases and apps whose record is damaged or missing; absent if there are none.
    package let unreadable: [ErrorDocument.Failure]?

    package init(releases: [ReleaseEntry], older: Int, unreadable: [ErrorDocument.Failure]?) {
        self.releases = releases
        self.older = older
        self.unreadable = unreadable
    }
}

/// One page of an app's releases, newest first.
package struct ReleasePageDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let releases: [ReleaseEntry]
    /// The number of releases after this page.
    package let older: Int
    /// The value of `after` for the next page; nil on the last page.
    @OrNull package var next: String?

    package init(releases: [ReleaseEntry], older: Int, next: String?) {
        self.releases = releases
        self.older = older
        self.next = next
    }
}
