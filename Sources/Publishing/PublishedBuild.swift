import Bundles
package import Essentials
package import Identifiers
package import Inspection
package import Releases

/// What became of a build that was published.
package struct PublishedBuild: Sendable {
    /// As the store has it: for the same bytes again, the release that was there.
    package let release: Release
    /// The one that offers it now; a release that was there keeps the one it came on.
    package let channel: ChannelName
    /// Nil only after a dry run of an app that is not there yet.
    package let app: AppRecord?
    /// Whether the release, or its bytes, are new.
    package let isCreated: Bool
    /// Whether the channel offers it now, and not what was published there since.
    package var isOffered: Bool { app?.channels[channel] == release.identifier }
    /// When the channel ends; nil for one that lasts.
    package var channelEnd: Date? { app?.end(of: channel) }
    /// As judged now.
    package let report: InspectionReport
    /// Remarks about the tag, or about a release that had the same bytes already: sentences.
    package var remarks: [String] = []
}

extension Release.Identity {
    /// - Throws: ``PublishRefusal/unnamed(key:)`` when Info.plist leaves out what names a release.
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
