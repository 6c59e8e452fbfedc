package import Foundation
package import Releases

/// The webhooks, with the results of their last messages.
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

    /// A new webhook's signing key, which is shown only once; nil after that.
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
    ///   - entries: all webhooks.
    ///   - form: the form, with its input.
    ///   - links: builds paths of admin pages.
    ///   - made: the webhook that was just added.
    ///   - admin: the page's header and navigation.
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

    /// The form's options and input.
    package struct Form: Sendable {
        package var url = ""
        /// For a custom format.
        package var ownBody = ""
        package var kinds: [Choice] = []
        package var events: [Choice] = []
        package var apps: [Choice] = []
        /// Names separated by commas; empty for all.
        package var channels = ""
        package var groups = ""
        package var problem: PageProblem?
        /// Nil if none was requested.
        package var preview: Preview?

        package init() {}
    }

    /// A sample message, in one of the formats.
    package struct Preview: Sendable {
        let title: String
        let text: String

        package init(title: String, text: String) {
            self.title = title
            self.text = text
        }
    }

    /// One webhook, without its secrets.
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
        ///   - address: the URL without parts that may be secret.
        ///   - kind: the format of its messages.
        ///   - subjects: the events and apps that it is sent.
        ///   - state: parts of a sentence such as `failing since 21 November 2026, 21:35 UTC`, `HTTP
        ///     500`, `14 queued`.
        ///   - stateTone: the colour of the state, `bad` or `warn`; nil if nothing is wrong.
        ///   - buttons: the actions that are possible now.
        ///   - deliveries: the last completed deliveries, newest first.
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

    /// The result of one delivery.
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
