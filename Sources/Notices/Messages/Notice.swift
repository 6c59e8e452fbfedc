import Bundles
package import Foundation
package import Identifiers
package import Releases

/// A notice that the team receives once, in the format that all webhooks share.
///
/// A device is only named by its name; a notice never contains a UDID.
package struct Notice: Codable, Sendable, Equatable {
    package struct App: Codable, Sendable, Equatable {
        package let bundleIdentifier: BundleIdentifier
        package let title: String
    }

    package struct Build: Codable, Sendable, Equatable {
        package let version: String
        package let build: String
        package let channel: String?
        /// What the release was built from and by which CI job, as the publisher reported it; nil if
        /// unknown.
        package var tag, commit, branch, repository, run: String?

        package init(version: String, build: String, channel: String?) {
            self.version = version
            self.build = build
            self.channel = channel
        }
    }

    package struct Ending: Codable, Sendable, Equatable {
        package let kind: ExpiringItem.Kind
        package let name: String
        package let identifier: String
        package let expires: Date
        /// The bundles of offered builds that depend on it.
        package let places: [ExpiringItem.Place]
    }

    package struct Slots: Codable, Sendable, Equatable {
        package let family: String
        package let team: String?
        package let used: Int
        package let limit: Int
        package let resets: Date?
    }

    package struct Damage: Codable, Sendable, Equatable {
        /// A stable identifier, such as `store.damaged-blob`.
        package let id: String
        /// The document, journal line or blob.
        package let place: String
    }

    /// A tester's feedback.
    package struct Said: Codable, Sendable, Equatable {
        package let id: String
        package let text: String
        package let release: ReleaseIdentifier
        /// The signed-in tester; nil if no one was signed in.
        package let person: String?
        package let deviceName: String?
        package let model: String?
        package let os: String?
    }

    /// 32 hexadecimal digits; the same for every webhook.
    package let identifier: String
    package let event: NoticeEvent
    package let date: Date
    /// One line without a full stop.
    package let title: String
    /// Whole sentences.
    package let message: String
    /// A page with details; nil if the server's URL is unknown.
    package var link: String?
    /// The apps that it is about; empty if it is about the team.
    package var apps: [App] = []
    package var release: Build?
    /// The channels that offer the build that it is about; nil for other notices.
    package var channels: [ChannelName]?
    /// The groups that have access to these channels; nil for other notices.
    package var groups: [GroupName]?
    /// For ``NoticeEvent/expiring`` and ``NoticeEvent/expired``.
    package var ending: [Ending]?
    /// The number of days before the expiry at which the notice is sent: 30, 14, 7, 3, 1, or 0 at the
    /// expiry itself.
    package var threshold: Int?
    /// The name of the device.
    package var device: String?
    /// The number of devices.
    package var deviceCount: Int?
    package var slots: Slots?
    /// For ``NoticeEvent/buildFailed``.
    package var failedBuild: FailedBuild?
    /// For ``NoticeEvent/storeDamaged``.
    package var damage: [Damage]?
    /// For ``NoticeEvent/feedbackReceived``.
    package var feedback: Said?
    /// For ``NoticeEvent/releasesRemoved``.
    package var removed: RemovedReleases?

    package init(
        identifier: String,
        event: NoticeEvent,
        date: Date,
        title: String,
        message: String,
    ) {
        self.identifier = identifier
        self.event = event
        self.date = date
        self.title = title
        self.message = message
    }
}
