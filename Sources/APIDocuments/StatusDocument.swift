package import Essentials

/// The response to `GET /api/v1/status`: what needs attention, and the number of items in the store.
package struct StatusDocument: Codable, Equatable, Sendable {
    package var schema = 1
    /// The version of the server.
    package let version: String
    /// What an admin should do or know, in the order of `/admin`.
    package let attention: [AttentionEntry]
    /// The number of apps, and of releases of all of them.
    package let apps, releases: Int
    /// The number of devices in use, and of those that are waiting for approval.
    package let devices, pending: Int
    package let slots: [SlotEntry]
    /// The number of waiting and running jobs.
    package let openJobs: Int
    /// The number of install attempts in the last 30 days that ended with an installed app, and of all
    /// others.
    package let installed, notFinished: Int
    /// The latest published release; absent if there is none.
    package let newest: NewestRelease?

    /// A release with its app's title.
    package struct NewestRelease: Codable, Equatable, Sendable {
        /// The app's title.
        package let app: String
        package let release: String
        package let published: Date

        package init(app: String, release: String, published: Date) {
            self.app = app
            self.release = release
            self.published = published
        }
    }

    package init(
        version: String,
        attention: [AttentionEntry],
        apps: Int,
        releases: Int,
        devices: Int,
        pending: Int,
        slots: [SlotEntry],
        openJobs: Int,
        installed: Int,
        notFinished: Int,
        newest: NewestRelease?,
    ) {
        self.version = version
        self.attention = attention
        self.apps = apps
        self.releases = releases
        self.devices = devices
        self.pending = pending
        self.slots = slots
        self.openJobs = openJobs
        self.installed = installed
        self.notFinished = notFinished
        self.newest = newest
    }
}

/// Something that an admin should do or know.
package struct AttentionEntry: Codable, Equatable, Sendable {
    /// The urgency of an entry.
    package enum Level: String, Codable, Sendable {
        /// Something does not work, or will not within a week.
        case urgent
        case warning
        /// Something is waiting for an admin, but nothing is wrong.
        case waiting
    }

    /// The page on which it is shown and resolved.
    package enum Place: String, Codable, Sendable {
        case activity, teams, webhooks, jobs, devices, releases, tokens, profiles
    }

    package let level: Level
    /// One clause, without a period.
    package let title: String
    /// Full sentences; may be empty.
    package let detail: String
    package let place: Place
    /// The app's slug and the release; nil unless `place` is `releases`.
    package var app, release: String?
    /// The job; nil unless `place` is `jobs`.
    package var job: String?

    package init(_ level: Level, _ title: String, _ detail: String, at place: Place) {
        self.level = level
        self.title = title
        self.detail = detail
        self.place = place
    }
}
