package import Foundation
package import Releases

/// An app's retention rules: what they would remove, and why each other release stays.
package struct RulesPage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let appURL: String
    let actionURL: String
    let choices: [Choice]
    let newest: String
    let days: String
    let keepsInstalled: Bool
    let words: String
    let next: String?
    let problem: PageProblem?
    let summary: String
    let removal: String
    /// Nil if nothing would be removed, or the rules are not saved.
    let applyURL: String?
    let lines: [Line]

    /// - Parameters:
    ///   - app: the app.
    ///   - draft: the form's values.
    ///   - trial: what the rules would do.
    ///   - next: when the server applies them next; nil if that is not known yet.
    ///   - problem: the reason for a refusal; nil for none.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(
        of app: AppRecord,
        draft: Draft,
        trial: Trial,
        next: Date?,
        problem: PageProblem? = nil,
        links: AdminLinks,
        admin: AdminChrome,
    ) {
        self.admin = admin
        let pages = links.pages(of: app.slug)
        title = app.title
        appURL = links.app(app.slug)
        actionURL = pages.rules
        choices = Draft.Kind.allCases.map { Choice($0, chosen: draft.kind) }
        newest = draft.newest
        days = draft.days
        keepsInstalled = draft.keepsInstalled
        words = trial.rules.words
        self.next =
            trial.rules.keepsEverything || !trial.isSaved
            ? nil
            : next.map { "The server next applies the rules on \(Wording.moment($0))." }
                ?? "The server applies the rules every day from 03:00 UTC."
        self.problem = problem
        let going = trial.lines.count(where: \.reasons.isEmpty)
        summary =
            going == 0
            ? "Nothing would be removed."
            : "\(Wording.count(going, "release")) would be removed, which frees "
                + "\(Wording.size(trial.freed))."
        removal = going == 1 ? "Remove it now" : "Remove them now"
        applyURL = going > 0 && trial.isSaved ? pages.applyRules : nil
        lines = trial.lines.map { Line($0, pages) }
    }

    /// The form's values.
    package struct Draft: Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            case everything, own, usual = "default"
        }

        package var kind: Kind
        package var newest = ""
        package var days = ""
        package var keepsInstalled = true

        /// - Parameter rules: the app's own rules; nil if the rules of all apps apply.
        package init(_ rules: RetentionRules?) {
            kind = rules.map { $0.keepsEverything ? .everything : .own } ?? .usual
            newest = rules?.newest.map { "\($0)" } ?? ""
            days = rules?.days.map { "\($0)" } ?? ""
            keepsInstalled = rules?.keepsInstalled ?? true
        }
    }

    /// The result of a dry run.
    package struct Trial: Sendable {
        package struct Line: Sendable {
            let release: ReleaseIdentifier
            let published: Date
            let reasons: [String]

            package init(release: ReleaseIdentifier, published: Date, reasons: [String]) {
                self.release = release
                self.published = published
                self.reasons = reasons
            }
        }

        let rules: RetentionRules
        let isSaved: Bool
        let freed: Int
        let lines: [Line]

        /// - Parameters:
        ///   - rules: the rules that were tried.
        ///   - isSaved: whether they are the app's current rules.
        ///   - freed: bytes that removing would free.
        ///   - lines: every release, with the reasons why it stays.
        package init(_ rules: RetentionRules, isSaved: Bool, freed: Int, lines: [Line]) {
            self.rules = rules
            self.isSaved = isSaved
            self.freed = freed
            self.lines = lines
        }
    }

    struct Choice: Sendable {
        let value: String
        let label: String
        let hint: String
        let isChosen: Bool

        init(_ kind: Draft.Kind, chosen: Draft.Kind) {
            value = kind.rawValue
            isChosen = kind == chosen
            (label, hint) =
                switch kind {
                case .everything: ("Keep everything", "The server removes nothing.")
                case .own:
                    ("Rules of this app", "A release is kept if any of the rules below keeps it.")
                case .usual:
                    (
                        "Rules for all apps",
                        "The command “ota apps rules” without an app sets them.",
                    )
                }
        }
    }

    struct Line: Sendable {
        let name: String
        let url: String
        let detail: String
        let isGoing: Bool

        init(_ line: Trial.Line, _ links: AdminAppLinks) {
            name = line.release.words
            url = links.release(line.release).page
            isGoing = line.reasons.isEmpty
            detail =
                Wording.day(line.published)
                + (line.reasons.isEmpty ? "" : ": " + line.reasons.joined(separator: "; "))
        }
    }
}
