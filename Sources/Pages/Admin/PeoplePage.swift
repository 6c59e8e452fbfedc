import Bytes
package import Foundation
import Releases

/// The sign-in settings, their form, and the sessions of people.
package struct PeoplePage: AdminPage {
    package let admin: AdminChrome
    let provider: String?
    let facts: [Fact]
    let addresses: [Fact]
    let buttons: [ActionButton]
    let tried: Tried?
    let sessions: [Session]
    let sessionCount: String
    /// The same list with testers, or without them.
    let otherListURL: String
    let showsTesters: Bool
    let actionURL: String
    let formCode: String
    let draft: Draft
    /// Whether an optional part of the form has a value, and is therefore shown open.
    let hasClaims: Bool
    let hasTesters: Bool
    let hasExtras: Bool
    let setTitle: String

    /// A name and its value.
    package struct Fact: Sendable {
        let name: String
        let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The result of a test of the provider.
    package struct Tried: Sendable {
        let title: String
        let tone: String
        let steps: [Step]

        package init(_ title: String, isGood: Bool, steps: [Step]) {
            self.title = title
            tone = isGood ? "good" : "bad"
            self.steps = steps
        }
    }

    /// One step of the test.
    package struct Step: Sendable {
        let text: String
        let fix: String?
        let tone: String

        /// - Parameters:
        ///   - text: the result, a sentence.
        ///   - fix: what to do about it.
        ///   - tone: `good`, `warn` or `bad`.
        package init(_ text: String, fix: String? = nil, tone: String) {
            self.text = text
            self.fix = fix
            self.tone = tone
        }
    }

    /// A signed-in person.
    package struct Session: Sendable {
        let name: String
        let right: String
        let times: String
        let isOwn: Bool
        let isTester: Bool
        let buttons: [ActionButton]

        /// - Parameters:
        ///   - name: the person, as in the activity log.
        ///   - right: their rights, in words.
        ///   - isTester: whether the session is a tester's.
        ///   - opened: when they signed in.
        ///   - expires: when the session expires.
        ///   - isOwn: whether it is the visitor's.
        ///   - buttons: the possible actions.
        package init(
            name: String,
            right: String,
            isTester: Bool,
            opened: Date,
            expires: Date,
            isOwn: Bool,
            buttons: [ActionButton],
        ) {
            self.name = name
            self.right = right
            self.isTester = isTester
            times =
                "since \(Wording.moment(opened)), until \(Wording.moment(expires)) at the latest"
            self.isOwn = isOwn
            self.buttons = buttons
        }
    }

    /// The form's values, without the secret.
    package struct Draft: Sendable {
        package var issuer = ""
        package var clientID = ""
        package var isPublicClient = false
        package var hasSecret = false
        package var name = ""
        package var roleClaim = ""
        /// One per line, as in all that follow.
        package var people = ""
        package var roles = ""
        package var testers = ""
        package var testerPeople = ""
        package var testerGroups = ""
        package var scopes = ""
        package var problem: PageProblem?

        package init() {}
    }

    /// - Parameters:
    ///   - provider: its name and settings; nil if sign-in is not set up.
    ///   - addresses: the URLs that the provider must know.
    ///   - buttons: the actions on the settings.
    ///   - tried: the result of a test of the provider.
    ///   - sessions: the sessions shown.
    ///   - count: the number of all sessions.
    ///   - showsTesters: whether testers' sessions are included.
    ///   - url: the path of the page, and the form's target.
    ///   - draft: the form's values.
    ///   - admin: the page's header and navigation.
    package init(
        provider: (name: String, facts: [Fact])?,
        addresses: [Fact],
        buttons: [ActionButton],
        tried: Tried?,
        sessions: [Session],
        count: Int,
        showsTesters: Bool,
        url: String,
        draft: Draft,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.provider = provider?.name
        facts = provider?.facts ?? []
        self.addresses = addresses
        self.buttons = buttons
        self.tried = tried
        self.sessions = sessions
        sessionCount =
            count == sessions.count
            ? Wording.count(count, "session")
            : "The newest \(sessions.count.grouped) of \(count.grouped) sessions"
        self.showsTesters = showsTesters
        otherListURL = showsTesters ? url + "?testers=0" : url
        actionURL = url
        formCode = admin.code
        self.draft = draft
        hasClaims = !(draft.roleClaim + draft.roles).isEmpty
        hasTesters = !(draft.testers + draft.testerPeople + draft.testerGroups).isEmpty
        hasExtras = !(draft.name + draft.scopes).isEmpty
        setTitle = provider == nil ? "Set up sign-in" : "Replace these settings"
    }
}
