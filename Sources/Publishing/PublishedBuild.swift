import Bundles
package import Essentials
package import Identifiers
package import Inspection
package import Releases

/// The result of publishing a build.
package struct PublishedBuild: Sendable {
    /// The release in the store; for bytes that were already published, the existing release.
    package let release: Release
    /// The channel of the publish; an existing release keeps the channel on which it was first published.
    package let channel: ChannelName
    /// Nil only after a dry run for an app that does not exist yet.
    package let app: AppRecord?
    /// Whether the release, or its bytes, are new.
    package let isCreated: Bool
    /// Whether the channel offers the release now, and not one that was published later.
    package var isOffered: Bool { app?.channels[channel] == release.identifier }
    /// When the channel ends; nil if it has no end.
    package var channelEnd: Date? { app?.end(of: channel) }
    /// The current report.
    package let report: InspectionReport
    /// Remarks about the tag, or about an existing release with the same bytes, as sentences.
    package var remarks: [String] = []
}

extension Release.Identity {
    /// - Throws: ``PublishRefusal/unnamed(key:)`` if Info.plist lacks a value that identifies the release.
    init(of build: ExaminedBuild) throws(PublishRefusal) {
        let identity = build.report.identity
        guard let identifier = identity.bundleIdentifier else {
            throw .unnamed(key: "CFBundleIdentifier")
        }
        guard let version = identity.version, !version.isEmpty else {
            throw .unnamed(key: "CFBundleShortVersionString")
        }
        guard let number = identity.build, !number.isEmpty else {
            throw .unnamed(key: "CFBundleVersion")
        }
        self.init(
            bundleIdentifier: identifier,
            name: identity.name,
            version: version,
            build: number,
            families: build.application.info.families,
        )
    }
}
