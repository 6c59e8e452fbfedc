package import Cryptography
package import Essentials
package import Identifiers
package import Problems
package import Releases

/// Why a release is not published, promoted or changed.
package enum ReleaseRefusal: ReportableError, Equatable {
    /// Other bytes have the same version and build.
    case otherBytes(ReleaseIdentifier, there: SHA256Digest)
    /// The same bytes were published and withdrawn.
    case withdrawn(ReleaseIdentifier)
    case unknownApp(String)
    case unknownRelease(ReleaseIdentifier)
    case unknownChannel(ChannelName)
    /// `stable`, and the channel that an app's page shows, cannot end.
    case lastingChannel(ChannelName)
    /// The channel existed until this date.
    case endedChannel(ChannelName, Date)
    /// The channel has ended, and can be reopened only with a new end.
    case closedChannel(ChannelName)
    /// The app accepts no new builds.
    case archivedApp(Slug)
}

extension ReleaseRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .otherBytes(let release, let digest):
            "the release \(release) already exists with a different file (SHA-256 \(digest))"
        case .withdrawn(let release): "the release \(release) was withdrawn"
        case .unknownApp(let app): "there is no app \(app)"
        case .unknownRelease(let release): "there is no release \(release)"
        case .unknownChannel(let channel): "the app has no channel \(channel)"
        case .endedChannel(let channel, let date):
            "the channel \(channel) ended on \(Wording.day(date))"
        case .closedChannel(let channel): "the channel \(channel) has ended"
        case .archivedApp(let app): "the app \(app) is archived and takes no new builds"
        case .lastingChannel(.stable): "the channel stable cannot end"
        case .lastingChannel(let channel):
            "the channel \(channel) cannot end: it is the one that the app's page shows"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknownApp, .unknownRelease, .unknownChannel: .notFound
        case .endedChannel: .gone
        case .otherBytes, .withdrawn, .lastingChannel, .closedChannel, .archivedApp: .conflict
        }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .otherBytes: "release.other-bytes"
        case .withdrawn: "release.withdrawn"
        case .unknownApp: "release.unknown-app"
        case .unknownRelease: "release.unknown"
        case .unknownChannel: "release.unknown-channel"
        case .lastingChannel: "channel.lasting"
        case .endedChannel: "channel.ended"
        case .closedChannel: "channel.closed"
        case .archivedApp: "app.archived"
        }
    }

    /// What a user can do about it.
    package var fix: String {
        switch self {
        case .otherBytes:
            "raise CFBundleVersion and build again, or publish with --replace to replace its file"
        case .withdrawn: "restore it with `ota releases restore`"
        case .unknownApp: "see the apps in `ota releases list`"
        case .unknownRelease: "see the releases in `ota releases list`"
        case .unknownChannel: "see the app's channels in `ota channels list`"
        case .endedChannel, .closedChannel:
            "publish a build on it, or promote one to it, with --expires to open it again; or name "
                + "another channel"
        case .archivedApp(let app): "bring it back with `ota apps unarchive \(app)`"
        case .lastingChannel: "name another channel, such as pr-12"
        }
    }
}
