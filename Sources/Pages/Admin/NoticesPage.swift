package import Foundation
package import Releases

/// The webhooks, and how the last messages to each went.
package struct NoticesPage: AdminPage {
    package let admin: AdminChrome
    let webhooks: [Entry]
    let actionURL: String
    let formCode: String
    let url: String
    let ownBody: String
    let hasOwnBody: Bool
    let kinds: [Choice]
    let events: [Choice]
    /// Options, as markup.
    let apps: String
    let hasApps: Bool
    let channels, groups: String
    let hasLimits: Bool
    let problem: PageProblem?
    let preview: Preview?
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
    ///   - admin: what surrounds the page.
    package init(
        _ entries: [Entry],
        form: Form,
        links: AdminLinks,
        made: Made? = nil,
        admin: AdminChrome,
    ) {
        self.admin = admin
        webhooks = entries
        actionURL = links.notices
        formCode = admin.code
        url = form.url
        ownBody = form.ownBody
        hasOwnBody =
            !form.ownBody.isEmpty || form.kinds.contains { $0.isChosen && $0.value == "custom" }
        kinds = form.kinds
        events = form.events
        apps = HTMLText.options(form.apps.lazy.map { ($0.value, $0.title, $0.isChosen) })
        hasApps = !form.apps.isEmpty
        channels = form.channels
        groups = form.groups
        hasLimits = !form.channels.isEmpty || !form.groups.isEmpty
        problem = form.problem
        preview = form.preview
        self.made = made
    }

    /// What the form offers.
    package struct Form: Sendable {
        package var url = ""
        /// For the format of the admin's own.
        package var ownBody = ""
        package var kinds: [Choice] = []
        package var events: [Choice] = []
        package var apps: [Choice] = []
        /// Names separated by commas; empty for all.
        package var channels = ""
        package var groups = ""
        package var problem: PageProblem?
        /// Nil where none was asked for.
        package var preview: Preview?

        package init() {}
    }

    /// A message about a made-up release, in one of the formats.
    package struct Preview: Sendable {
        let title: String
        let text: String

        package init(title: String, text: String) {
            self.title = title
            self.text = text
        }
    }

    /// One webhook as people may see it.
    package struct Entry: Sendable {
        let address: String
        let kind: String
        let subjects: String
        let state: String
        let stateTone: String?
        let tone: String
        let buttons: [ActionButton]
        let deliveries: [Delivered]
        let hasDeliveries: Bool

        /// - Parameters:
        ///   - address: without what may be secret of it.
        ///   - kind: what it is sent.
        ///   - subjects: which events it gets, and about which apps.
        ///   - state: parts of a sentence such as `failing since 21 November 2026, 21:35 UTC`,
        ///     `HTTP 500`, `14 queued`.
        ///   - stateTone: the colour of the state, `bad` or `warn`; nil where nothing is wrong.
        ///   - buttons: what can be done with it now.
        ///   - deliveries: the last ones that are over, the latest first.
        package init(
            address: String,
            kind: String,
            subjects: String,
            state: [String],
            stateTone: String?,
            buttons: [ActionButton],
            deliveries: [Delivered],
        ) {
            self.address = address
            self.kind = kind
            self.subjects = subjects
            let sentence = state.joined(separator: " · ")
            self.state = sentence.prefix(1).uppercased() + sentence.dropFirst()
            self.stateTone = stateTone
            tone = stateTone ?? deliveries.first.map(\.tone) ?? "accent"
            self.buttons = buttons
            self.deliveries = deliveries
            hasDeliveries = !deliveries.isEmpty
        }
    }

    /// How one message went.
    package struct Delivered: Sendable {
        let title: String
        package let outcome: String
        let tone: String
        package let when: String
        let stamp: String

        package init(title: String, outcome: String, isGood: Bool, date: Date, at now: Date) {
            self.title = title
            self.outcome = outcome
            tone = isGood ? "good" : "bad"
            when = Wording.ago(date, at: now)
            stamp = date.formatted(.iso8601)
        }
    }
}
