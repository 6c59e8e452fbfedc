package import Essentials

/// `GET /api/v1/status`: what needs attention, and what there is.
package struct StatusDocument: Codable, Equatable, Sendable {
    package var schema = 1
    /// Of the program that answers.
    package let version: String
    /// What an admin has to do or to know, in the order of `/admin`.
    package let attention: [AttentionEntry]
    /// Apps, and releases of all of them.
    package let apps, releases: Int
    /// Devices in use, and those of them that are waiting for approval.
    package let devices, pending: Int
    package let slots: [SlotEntry]
    /// Jobs that are waiting or running.
    package let openJobs: Int
    /// Attempts of the last 30 days that ended with an installed app, and all others.
    package let installed, notFinished: Int
    /// The release that was published last; absent where there is none.
    package let newest: NewestRelease?

    /// A release by name.
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

/// One thing that an admin has to do or to know.
package struct AttentionEntry: Codable, Equatable, Sendable {
    /// How much it matters.
    package enum Level: String, Codable, Sendable {
        /// Something does not work, or will not within a week.
        case urgent
        case warning
        /// Something is waiting for an admin, and nothing is wrong.
        case waiting
    }

    /// Where it is shown and resolved.
    package enum Place: String, Codable, Sendable {
        case activity, teams, webhooks, jobs, devices, releases, tokens, profiles
    }

    package let level: Level
    /// One clause, without a full stop.
    package let title: String
    /// Whole sentences; may be empty.
    package let detail: String
    package let place: Place
    /// The app, by its name in addresses, and the release; nil unless `place` is `releases`.
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
