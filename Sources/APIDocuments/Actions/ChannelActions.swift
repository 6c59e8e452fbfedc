import Access
package import Releases

/// Lists the current and ended channels of an app.
package struct ListChannels: Action {
    package typealias Answer = ChannelsDocument
    package static let route = ActionRoute(.get, "/apps/{app}/channels", .onApp(.read))

    package let app: String

    package init(of app: String) {
        self.app = app
    }
}

/// Ends a channel.
///
/// The channel is no longer offered, and releases that no other channel offers can no longer be installed.
/// If there is no such channel, nothing changes.
package struct EndChannel: Action {
    package typealias Answer = EndedChannelDocument
    package static let route = ActionRoute(
        .post,
        "/apps/{app}/channels/{channel}/end",
        .onApp(.publish),
    )

    package let app: String
    package let channel: String

    package init(_ channel: String, of app: String) {
        self.app = app
        self.channel = channel
    }
}

/// Sets who sees a channel: its own groups, or everyone who sees the app.
///
/// The channel need not exist yet, and keeps the setting when it ends.
package struct ChangeChannelAccess: Action {
    package typealias Answer = AppDocument
    package static let route = ActionRoute(
        .put,
        "/apps/{app}/channels/{channel}/access",
        .onApp(.admin),
    )

    package let app: String
    package let channel: String
    package let content: ChannelAccessRequest

    package init(_ channel: String, of app: String, to access: AppRecord.ChannelAccess) {
        self.app = app
        self.channel = channel
        content = ChannelAccessRequest(access: access)
    }
}

/// Returns the link to a release or a channel, for a comment or a message.
package struct ShowLink: Action {
    package typealias Answer = LinkDocument
    package static let route = ActionRoute(
        .get,
        "/apps/{app}/link",
        .onApp(.read),
        query: [.text("release"), .text("channel")],
    )

    package let app: String
    /// Nil for the release that the channel offers.
    package let release: String?
    /// Nil for the channel that the app's page shows.
    package let channel: String?

    package init(to app: String, release: String? = nil, channel: String? = nil) {
        self.app = app
        self.release = release
        self.channel = channel
    }
}

extension ChannelAccessRequest: ActionContent {
    package static var keys: Set<String> { ["access"] }
}
