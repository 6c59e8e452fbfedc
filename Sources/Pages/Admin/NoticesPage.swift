package import Foundation
package import Releases

/// Who is told what happens, and how the last messages went.
package struct NoticesPage: AdminPage {
    package let admin: AdminChrome
    let webhooks: [Row]
    let actionURL: String
    let formCode: String
    let url: String
    let kinds: [Choice]
    let events: [Choice]
    let apps: [Choice]
    let hasApps: Bool
    let problem: Problem?
    let made: Made?

    struct Problem: Sendable {
        let message: String
        let mend: String?
    }

    /// The key of a webhook's signatures, which is shown this once.
    package struct Made: Sendable {
        let name: String
        let secret: String

        package init(name: String, secret: String) {
            self.name = name
            self.secret = secret
        }
    }

    /// One thing to choose, and the name of its field.
    package struct Choice: Sendable {
        let value: String
        let title: String
        let isChosen: Bool

        package init(value: String, title: String, isChosen: Bool) {
            self.value = value
            self.title = title
            self.isChosen = isChosen
        }
    }

    /// - Parameters:
    ///   - entries: every webhook.
    ///   - form: what the form offers, and what was typed.
    ///   - links: the addresses.
    ///   - made: the webhook that was added a moment ago.
    ///   - admin: what surrounds the page.
    package init(
        _ entries: [Entry],
        form: Form,
        links: AdminLinks,
        made: Made? = nil,
        admin: AdminChrome,
    ) {
        self.admin = admin
        webhooks = entries.map { Row($0, links, admin.code) }
        actionURL = links.notices
        formCode = admin.code
        url = form.url
        kinds = form.kinds
        events = form.events
        apps = form.apps
        hasApps = !form.apps.isEmpty
        problem = form.problem.map { Problem(message: $0.message, mend: $0.mend) }
        self.made = made
    }

    /// What the form offers.
    package struct Form: Sendable {
        package var url = ""
        package var kinds: [Choice] = []
        package var events: [Choice] = []
        package var apps: [Choice] = []
        package var problem: (message: String, mend: String?)?

        package init() {}
    }

    /// One webhook as people may see it.
    package struct Entry: Sendable {
        let identifier: String
        let address: String
        let kind: String
        let subjects: String
        let waiting: Int
        let deliveries: [Delivered]

        /// - Parameters:
        ///   - identifier: its eight digits.
        ///   - address: without what may be secret of it.
        ///   - kind: what it is sent.
        ///   - subjects: what it is told, and about which apps.
        ///   - waiting: how many messages wait for it.
        ///   - deliveries: the last ones, the latest first.
        package init(
            identifier: String,
            address: String,
            kind: String,
            subjects: String,
            waiting: Int,
            deliveries: [Delivered],
        ) {
            self.identifier = identifier
            self.address = address
            self.kind = kind
            self.subjects = subjects
            self.waiting = waiting
            self.deliveries = deliveries
        }
    }

    /// How one message went.
    package struct Delivered: Sendable {
        let title: String
        let outcome: String
        let tone: String
        let when: String
        let stamp: String

        package init(title: String, outcome: String, isGood: Bool, date: Date, at now: Date) {
            self.title = title
            self.outcome = outcome
            tone = isGood ? "good" : "bad"
            when = Wording.ago(date, at: now)
            stamp = date.formatted(.iso8601)
        }
    }

    struct Row: Sendable {
        let address: String
        let kind: String
        let subjects: String
        let state: String
        let tone: String
        let deliveries: [Delivered]
        let hasDeliveries: Bool
        let removeURL: String
        let code: String

        init(_ entry: Entry, _ links: AdminLinks, _ code: String) {
            address = entry.address
            kind = entry.kind
            subjects = entry.subjects
            deliveries = entry.deliveries
            hasDeliveries = !entry.deliveries.isEmpty
            removeURL = links.webhook(entry.identifier) + "/remove"
            self.code = code
            tone = entry.deliveries.first?.tone ?? "accent"
            let waiting =
                entry.waiting > 0 ? ", \(Wording.count(entry.waiting, "message")) waiting" : ""
            state =
                (entry.deliveries.first.map { "\($0.outcome) \($0.when)" } ?? "nothing sent yet")
                + waiting
        }
    }
}
