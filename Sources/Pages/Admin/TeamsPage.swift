package import Foundation
package import Releases

/// The teams for which the server signs, and the form for a new one.
package struct TeamsPage: AdminPage {
    package let admin: AdminChrome
    let teams: [Entry]
    let actionURL: String
    let jobsURL: String
    let formCode: String
    let hasKeyFile: Bool
    let identifier: String
    let name: String
    let issuer: String
    let keyID: String
    let problem: PageProblem?
    let nameLimit = "\(Team.nameLimit)"

    /// The input for a new team, and the reason for a refusal; file inputs cannot be filled in again.
    package struct Draft: Sendable {
        package var identifier = ""
        package var name = ""
        package var issuer = ""
        package var keyID = ""
        package var problem: PageProblem?

        package init() {}
    }

    /// - Parameters:
    ///   - entries: all teams.
    ///   - draft: the form's input.
    ///   - hasKeyFile: whether the server can seal a private key.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(
        _ entries: [Entry],
        draft: Draft = Draft(),
        hasKeyFile: Bool,
        links: AdminLinks,
        admin: AdminChrome,
    ) {
        self.admin = admin
        teams = entries
        actionURL = links.teams
        jobsURL = links.jobs
        formCode = admin.code
        self.hasKeyFile = hasKeyFile
        identifier = draft.identifier
        name = draft.name
        issuer = draft.issuer
        keyID = draft.keyID
        problem = draft.problem
    }

    /// One team.
    package struct Entry: Sendable {
        let identifier: String
        let name: String
        let certificate: String?
        let state: String
        let tone: String
        let apps: String?
        let profiles: [Profile]
        let hasProfiles: Bool
        let account: Account?
        /// Whether any of its keys are stored.
        let hasKeys: Bool
        let changeURL: String
        let removeURL: String
        let code: String

        /// - Parameters:
        ///   - identifier: ten letters and digits.
        ///   - name: its name.
        ///   - certificate: its certificate's name; nil if it has none.
        ///   - end: when the certificate expires.
        ///   - obstacle: the reason why it cannot sign; nil for none.
        ///   - apps: the apps whose builds are signed for it.
        ///   - profiles: the profiles that it signs with.
        ///   - account: its developer account; nil if the server has no key for it.
        ///   - links: builds paths of admin pages.
        ///   - code: the value of each form's `form` field.
        ///   - date: the current time.
        package init(
            identifier: String,
            name: String,
            certificate: String?,
            end: Date?,
            obstacle: String?,
            apps: [String],
            profiles: [Profile],
            account: Account? = nil,
            links: AdminLinks,
            code: String,
            at date: Date,
        ) {
            self.identifier = identifier
            self.name = name
            self.certificate = certificate
            if let obstacle {
                state = "Cannot sign: \(obstacle)"
                tone = "bad"
            } else if let end {
                state = "Certificate expires \(Wording.distance(to: end, from: date))"
                tone = Deadline.tone(of: end, at: date)
            } else {
                state = ""
                tone = "quiet"
            }
            self.apps = apps.isEmpty ? nil : apps.joined(separator: ", ")
            self.profiles = profiles
            hasProfiles = !profiles.isEmpty
            self.account = account
            hasKeys = certificate != nil || account != nil
            changeURL = links.team(identifier)
            removeURL = links.team(identifier) + "/remove"
            self.code = code
        }
    }

    /// The developer account of a team.
    package struct Account: Sendable {
        let facts: [String]
        let trouble: String?
        let buttons: [ActionButton]

        /// - Parameters:
        ///   - facts: its key, who allowed the server to make changes there, and its slots, a sentence
        ///     each.
        ///   - trouble: the reason why the server cannot work there, with the fix; nil for none.
        ///   - buttons: the actions on the account.
        package init(facts: [String], trouble: String?, buttons: [ActionButton]) {
            self.facts = facts
            self.trouble = trouble
            self.buttons = buttons
        }
    }

    /// One profile of a team.
    package struct Profile: Sendable {
        let name: String
        let facts: String
        let when: String
        let tone: String

        /// - Parameters:
        ///   - name: its name on Apple's developer site.
        ///   - facts: its type, its bundle identifier and its devices, in words.
        ///   - end: when it expires.
        ///   - date: the current time.
        package init(name: String, facts: String, end: Date, at date: Date) {
            self.name = name
            self.facts = facts
            let distance = Wording.distance(to: end, from: date)
            when = end <= date ? "expired \(distance)" : "expires \(distance)"
            tone = Deadline.tone(of: end, at: date)
        }
    }
}
