package import Foundation
package import Identifiers
package import Releases

/// The overview of the admin pages: what needs attention, and recent figures.
package struct DashboardPage: AdminPage {
    package let admin: AdminChrome
    let date: String
    let todo: [AttentionCard]
    let hasNothingToDo: Bool
    let setup: [SetupStep]
    let hasSetup: Bool
    let installs: DayBars
    let hasInstalls: Bool
    let recent: [Install]
    let published: [Published]
    let slots: [SlotGrid]
    let accounts: [AccountRow]
    let hasAccounts: Bool
    let teamsURL: String
    let deadlines: [Deadline]
    let profilesURL: String
    let activity: [ActivityRow]
    let activityURL: String
    let jobs: [JobLine]
    let hasJobs: Bool
    let hasOpenJobs: Bool
    let jobsURL: String
    let devicesURL: String
    let isAdmin: Bool

    /// - Parameters:
    ///   - content: the content.
    ///   - links: builds paths of admin pages.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation; users who are not admins see no devices and slots.
    package init(
        _ content: Content,
        links: AdminLinks,
        at date: Date,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.date = Wording.day(date)
        todo = content.todo
        hasNothingToDo = content.todo.isEmpty
        setup = content.setup
        hasSetup = !content.setup.isEmpty
        installs = DayBars(content.installs, until: date)
        hasInstalls = content.installs.contains { $0.all > 0 }
        recent = content.recent
        published = content.published
        slots = content.slots.enumerated().map {
            SlotGrid($1, counts: content.counts, number: $0, at: date)
        }
        accounts = content.accounts
        hasAccounts = !content.accounts.isEmpty
        teamsURL = links.teams
        deadlines = content.deadlines
        activity = content.activity
        profilesURL = links.profiles
        activityURL = links.activity
        jobs = content.jobs
        hasJobs = !content.jobs.isEmpty
        hasOpenJobs = content.jobs.contains(where: \.isOpen)
        jobsURL = links.jobs
        devicesURL = links.devices
        isAdmin = !content.slots.isEmpty
    }

    /// The content of the page; each list is already shortened.
    package struct Content: Sendable {
        /// One card for each kind of item that needs attention.
        package var todo: [AttentionCard] = []
        /// The setup steps of a new server; none once they are done, and for users who are not admins.
        package var setup: [SetupStep] = []
        /// One for each of the last days, today last.
        package var installs: [DayBars.Count] = []
        package var recent: [Install] = []
        package var published: [Published] = []
        /// None for users who may not see devices.
        package var slots: [DeviceSlots] = []
        /// The device counts at Apple.
        package var counts: [AppleCount] = []
        package var accounts: [AccountRow] = []
        package var deadlines: [Deadline] = []
        package var activity: [ActivityRow] = []
        /// Running and recent jobs; none for users who are not admins.
        package var jobs: [JobLine] = []

        package init() {}
    }

    /// One of the setup steps of a new server.
    package struct SetupStep: Sendable {
        let number: String
        let title: String
        let detail: String
        let isDone: Bool
        let url: String
        let action: String

        /// - Parameters:
        ///   - number: its position, from 1.
        ///   - title: what to do.
        ///   - detail: the purpose, one sentence.
        ///   - isDone: whether it was done.
        ///   - url: the page on which it is done.
        ///   - action: the button's text.
        package init(
            _ number: Int,
            _ title: String,
            _ detail: String,
            isDone: Bool,
            url: String,
            action: String,
        ) {
            self.number = "\(number)"
            self.title = title
            self.detail = detail
            self.isDone = isDone
            self.url = url
            self.action = action
        }
    }

    /// A recently published build.
    package struct Published: Sendable {
        let name: String
        let version: String
        let detail: String
        let when: String
        let stamp: String
        let url: String
        let iconURL: String
        let isWithdrawn: Bool

        /// - Parameters:
        ///   - release: the release.
        ///   - app: the app's title.
        ///   - channels: the channels that offer it now.
        ///   - installs: how often it was installed recently.
        ///   - url: the path of its page.
        ///   - iconURL: its icon.
        ///   - date: the current time.
        package init(
            _ release: Release,
            of app: String,
            on channels: [ChannelName],
            installs: Int,
            url: String,
            iconURL: String,
            at date: Date,
        ) {
            name = app
            version = "\(release.version) (\(release.build))"
            isWithdrawn = release.withdrawal != nil
            let places =
                channels.isEmpty
                ? "on no channel" : channels.map(\.rawValue).joined(separator: ", ")
            detail =
                isWithdrawn
                ? "withdrawn"
                : "\(places), "
                    + (installs == 0
                        ? "not installed yet" : Wording.count(installs, "install"))
            when = Wording.ago(release.published, at: date)
            stamp = release.published.formatted(.iso8601)
            self.url = url
            self.iconURL = iconURL
        }
    }

    /// A phone's attempt to install a build.
    package struct Install: Sendable {
        let who: String
        let what: String
        let tone: String
        let problem: String?
        let when: String
        let stamp: String
        let url: String?

        /// - Parameters:
        ///   - attempt: the attempt.
        ///   - who: the device's name; nil for an unknown one.
        ///   - app: the app's title.
        ///   - url: the path of the device's page.
        ///   - date: the current time.
        package init(
            _ attempt: InstallAttempt,
            by who: String?,
            of app: String,
            url: String?,
            at date: Date,
        ) {
            self.who = who ?? "A device that is not enrolled"
            what = "\(app) \(attempt.release.words)"
            tone = attempt.outcome == .downloaded ? "good" : "bad"
            problem = attempt.outcome == .downloaded ? nil : attempt.sentence
            when = Wording.ago(attempt.ended, at: date)
            stamp = attempt.ended.formatted(.iso8601)
            self.url = url
        }
    }
}

/// The day on which something expires, in a list.
package struct Deadline: Sendable {
    let name: String
    let detail: String
    let tone: String
    let when: String
    let day: String

    package init(name: String, detail: String, expires: Date, at date: Date) {
        self.name = ProfileTitle(name).name
        self.detail = detail
        tone = Self.tone(of: expires, at: date)
        when = (expires <= date ? "expired " : "") + Wording.distance(to: expires, from: date)
        day = Wording.day(expires)
    }

    /// Returns `bad` from a week before the expiration, `warn` within a month, else `good`.
    package static func tone(of expires: Date, at date: Date) -> String {
        let days = Wording.days(from: date, to: expires)
        return expires <= date || days <= 7 ? "bad" : days <= 30 ? "warn" : "good"
    }
}
