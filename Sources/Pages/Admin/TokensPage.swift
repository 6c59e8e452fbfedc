import Bundles
package import Foundation
import Identifiers
package import Releases

/// The access tokens, and the form for a new one.
package struct TokensPage: AdminPage {
    package let admin: AdminChrome
    let tokens: [Row]
    let ended: [Row]
    let hasEnded: Bool
    let actionURL: String
    let peopleURL: String
    let formCode: String
    /// Options, as markup.
    let apps: String
    let hasApps: Bool
    let lifetimes: [Choice]
    let problem: PageProblem?
    let name: String
    let made: Made?

    /// A new token's secret, which is shown only once; nil after that.
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

    struct Choice: Sendable {
        let value: String
        let title: String
        let isChosen: Bool
    }

    /// How long a token may be valid, in days; 0 means until it is revoked.
    package static let lifetimes = [7, 30, 90, 365, 0]

    /// - Parameters:
    ///   - entries: all tokens.
    ///   - apps: the apps that a token can be limited to.
    ///   - links: builds paths of admin pages.
    ///   - draft: the form's input, and the reason for a refusal.
    ///   - made: the token that was just created.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation.
    package init(
        _ entries: [Entry],
        apps: [AppRecord],
        links: AdminLinks,
        draft: Draft = Draft(),
        made: Made? = nil,
        at date: Date,
        admin: AdminChrome,
    ) {
        self.admin = admin
        tokens = entries.filter { !$0.isOver }.map { Row($0, at: date) }
        ended = entries.filter(\.isOver).map { Row($0, at: date) }
        hasEnded = !ended.isEmpty
        actionURL = links.tokens
        peopleURL = links.people
        formCode = admin.code
        self.apps = HTMLText.options(
            apps.lazy.map {
                let value = $0.bundleIdentifier.rawValue
                return (value, $0.title, value == draft.app)
            }
        )
        hasApps = !apps.isEmpty
        lifetimes = Self.lifetimes.map {
            Choice(
                value: "\($0)",
                title: $0 == 0 ? "No expiry" : Wording.count($0, "day"),
                isChosen: $0 == draft.days,
            )
        }
        problem = draft.problem
        name = draft.name
        self.made = made
    }

    /// The input for a new token.
    package struct Draft: Sendable {
        package var name: String
        package var app: String
        package var days: Int
        package var problem: PageProblem?

        package init(
            name: String = "",
            app: String = "",
            days: Int = 90,
            problem: PageProblem? = nil,
        ) {
            self.name = name
            self.app = app
            self.days = days
            self.problem = problem
        }
    }

    /// One stored token.
    package struct Entry: Sendable {
        let identifier: String
        let name: String
        let scopes: [String]
        let created: Date
        let expires: Date?
        let revoked: Date?
        let isOwn: Bool
        let isOver: Bool
        let buttons: [ActionButton]

        /// - Parameters:
        ///   - identifier: its eight digits.
        ///   - name: its name.
        ///   - scopes: its permissions, in words.
        ///   - created: when it was created.
        ///   - end: when it expires, and when it was revoked.
        ///   - isOwn: whether the user is signed in with it.
        ///   - isOver: whether it is no longer valid.
        ///   - buttons: the possible actions, each with a confirmation; not shown for a token that is no
        ///     longer valid.
        package init(
            identifier: String,
            name: String,
            scopes: [String],
            created: Date,
            end: (expires: Date?, revoked: Date?),
            isOwn: Bool,
            isOver: Bool,
            buttons: [ActionButton],
        ) {
            self.identifier = identifier
            self.name = name
            self.scopes = scopes
            self.created = created
            expires = end.expires
            revoked = end.revoked
            self.isOwn = isOwn
            self.isOver = isOver
            self.buttons = buttons
        }
    }

    struct Row: Sendable {
        let identifier: String
        let name: String
        let scopes: [String]
        let end: String
        let tone: String
        let made: String
        let isOwn: Bool
        let buttons: [ActionButton]

        init(_ entry: Entry, at date: Date) {
            identifier = entry.identifier
            name = entry.name
            scopes = entry.scopes
            made = "created on \(Wording.day(entry.created))"
            isOwn = entry.isOwn
            buttons = entry.buttons
            if let revoked = entry.revoked {
                end = "revoked on \(Wording.day(revoked))"
                tone = "quiet"
            } else if let expires = entry.expires {
                let distance = Wording.distance(to: expires, from: date)
                end = expires <= date ? "expired \(distance)" : "expires \(distance)"
                tone = expires <= date ? "quiet" : Deadline.tone(of: expires, at: date)
            } else {
                end = "no expiry"
                tone = "good"
            }
        }
    }
}
