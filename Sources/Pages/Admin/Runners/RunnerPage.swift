package import Identifiers

/// The page of one runner: its state, its settings, and its buttons.
package struct RunnerPage: AdminPage {
    package let admin: AdminChrome
    let runner: RunnerLine
    let isBusy: Bool
    let runnersURL: String
    let facts: [MirrorPage.Fact]
    let start: Start?
    let settings: Settings
    let buttons: [ActionButton]

    /// The command that registers the runner's agent, which is shown only once.
    package struct Start: Sendable {
        let command: String?
        let expires: String

        /// - Parameters:
        ///   - command: the command to paste on the machine; nil once it was shown.
        ///   - expires: when its code expires, such as `24 November 2026, 02:51 UTC`.
        package init(command: String?, expires: String) {
            self.command = command
            self.expires = expires
        }
    }

    /// The form for the builds that it takes.
    package struct Settings: Sendable {
        let url: String
        let formCode: String
        let labels: String
        let mirrors: [MirrorChoice]
        let references: [ReferencesChoice]
        let problem: PageProblem?

        /// - Parameters:
        ///   - url: the form's target.
        ///   - formCode: the form code, without which the form is refused.
        ///   - labels: the labels, separated by commas.
        ///   - chosen: the mirrors that it may build for.
        ///   - mirrors: the names of all mirrors.
        ///   - references: the references whose builds it takes.
        ///   - problem: why the last change was refused.
        package init(
            url: String,
            formCode: String,
            labels: String,
            chosen: [String],
            of mirrors: [String],
            references: RunnerReferences,
            problem: PageProblem? = nil,
        ) {
            self.url = url
            self.formCode = formCode
            self.labels = labels
            self.mirrors = mirrors.map { MirrorChoice(name: $0, among: chosen, of: mirrors) }
            self.references = ReferencesChoice.all(choosing: references)
            self.problem = problem
        }
    }

    /// - Parameters:
    ///   - runner: the runner's state.
    ///   - facts: the machine's properties, as its agent reports them.
    ///   - start: the registration command; nil for a runner whose agent has registered.
    ///   - settings: the form for the builds that it takes.
    ///   - buttons: further actions, such as pausing.
    ///   - runnersURL: the list of runners.
    ///   - admin: the page's header and navigation.
    package init(
        _ runner: RunnerLine,
        facts: [MirrorPage.Fact],
        start: Start?,
        settings: Settings,
        buttons: [ActionButton],
        runnersURL: String,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.runner = runner
        isBusy = runner.tone == "accent"
        self.facts = facts
        self.start = start
        self.settings = settings
        self.buttons = buttons
        self.runnersURL = runnersURL
    }
}
