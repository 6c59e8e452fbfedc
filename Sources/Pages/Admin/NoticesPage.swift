package import Foundation
package import Releases

/// The webhooks, and how the last messages to each went.
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
    let problem: PageProblem?
    let made: Made?

    /// The key of a webhook's signatures, which is shown this once; nil once it was.
    package struct Made: Sendable {
        let name: String
        let secret: String?
        let tone: String

        package init(name: String, secret: String?) {
            self.name = name
            self.secret = secret
            tone = secret == nil ? "warn" : "good"
        }
    }

    /// One option of the form, and the name of its field.
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
    ///   - date: the present.
    ///   - admin: what surrounds the page.
    package init(
        _ entries: [Entry],
        form: Form,
        links: AdminLinks,
        made: Made? = nil,
        at date: Date,
        admin: AdminChrome,
    ) {
        self.admin = admin
        webhooks = entries.map { Row($0, links, admin.code, at: date) }
        actionURL = links.notices
        formCode = admin.code
        url = form.url
        kinds = form.kinds
        events = form.events
        apps = form.apps
        hasApps = !form.apps.isEmpty
        problem = form.problem
        self.made = made
    }

    /// What the form offers.
    package struct Form: Sendable {
        package var url = ""
        package var kinds: [Choice] = []
        package var events: [Choice] = []
        package var apps: [Choice] = []
        package var problem: PageProblem?

        package init() {}
    }

    /// One webhook as people may see it.
    package struct Entry: Sendable {
        let identifier: String
        let address: String
        let kind: String
        let subjects: String
        /// How many messages wait for it, and when the next attempt is made.
        package var waiting = 0
        package var next: Date?
        /// Since when the webhook is paused; nil while it is active.
        package var paused: Date?
        /// Since when and why its attempts fail; nil while they do not.
        package var failing: (since: Date, cause: String)?
        /// The last ones that are over, the latest first.
        package var deliveries: [Delivered] = []

        /// - Parameters:
        ///   - identifier: its eight digits.
        ///   - address: without what may be secret of it.
        ///   - kind: what it is sent.
        ///   - subjects: which events it gets, and about which apps.
        package init(identifier: String, address: String, kind: String, subjects: String) {
            self.identifier = identifier
            self.address = address
            self.kind = kind
            self.subjects = subjects
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
        let stateTone: String?
        let retryURL: String?
        let testURL: String?
        let pauseURL: String?
        let resumeURL: String?
        let deliveries: [Delivered]
        let hasDeliveries: Bool
        let removeURL: String
        let code: String

        init(_ entry: Entry, _ links: AdminLinks, _ code: String, at now: Date) {
            address = entry.address
            kind = entry.kind
            subjects = entry.subjects
            deliveries = entry.deliveries
            hasDeliveries = !entry.deliveries.isEmpty
            let url = links.webhook(entry.identifier)
            let isActive = entry.paused == nil
            removeURL = url + "/remove"
            retryURL = isActive && entry.waiting > 0 ? url + "/retry" : nil
            testURL = isActive ? url + "/test" : nil
            pauseURL = isActive ? url + "/pause" : nil
            resumeURL = isActive ? nil : url + "/resume"
            self.code = code
            stateTone = isActive ? entry.failing.map { _ in "bad" } : "warn"
            tone = stateTone ?? entry.deliveries.first.map(\.tone) ?? "accent"
            state = Self.state(of: entry, at: now)
        }

        /// `Failing since 21 November 2026, 21:35 UTC · HTTP 500 · 14 queued · next attempt in 6
        /// minutes`.
        private static func state(of entry: Entry, at now: Date) -> String {
            var parts: [String]
            if let paused = entry.paused {
                parts = ["Paused since \(Wording.moment(paused))"]
            } else if let failing = entry.failing {
                parts = ["Failing since \(Wording.moment(failing.since))", failing.cause]
            } else if let last = entry.deliveries.first {
                parts = [
                    "\(last.outcome.prefix(1).uppercased())\(last.outcome.dropFirst()) \(last.when)"
                ]
            } else {
                parts = [entry.waiting > 0 ? "Sending" : "Nothing sent yet"]
            }
            if entry.waiting > 0 {
                parts.append("\(entry.waiting) queued")
                if entry.paused == nil, let next = entry.next {
                    parts.append("next attempt \(Wording.soon(next, at: now))")
                }
            }
            return parts.joined(separator: " · ")
        }
    }
}
