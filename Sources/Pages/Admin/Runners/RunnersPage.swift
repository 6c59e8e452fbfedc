package import Identifiers
package import Releases

/// The runners that build for the server, and the form that adds one.
package struct RunnersPage: AdminPage {
    package let admin: AdminChrome
    let runners: [RunnerLine]
    let hasRunners: Bool
    /// Whether one of them is building, so that the page should follow it.
    let isBusy: Bool
    let mirrorsURL: String
    let actionURL: String
    let formCode: String
    let name: String
    let labels: String
    let mirrors: [MirrorChoice]
    let references: [ReferencesChoice]
    let hasMirrors: Bool
    let problem: PageProblem?

    /// The input for a new runner.
    package struct Draft: Sendable {
        package var name: String
        package var labels: String
        package var mirrors: [String]
        package var references: RunnerReferences
        package var problem: PageProblem?

        /// - Parameters:
        ///   - name: the runner's name.
        ///   - labels: the labels as entered, separated by commas.
        ///   - mirrors: the names of the mirrors that it may build for.
        ///   - references: the references whose builds it takes.
        ///   - problem: the reason for a refusal; nil for none.
        package init(
            name: String = "",
            labels: String = "mac",
            mirrors: [String] = [],
            references: RunnerReferences = .trusted,
            problem: PageProblem? = nil,
        ) {
            self.name = name
            self.labels = labels
            self.mirrors = mirrors
            self.references = references
            self.problem = problem
        }
    }

    /// - Parameters:
    ///   - runners: the runners by name.
    ///   - mirrors: the names of all mirrors.
    ///   - links: builds paths of admin pages.
    ///   - draft: the form's input, and the reason for a refusal.
    ///   - admin: the page's header and navigation.
    package init(
        _ runners: [RunnerLine],
        mirrors: [String],
        links: AdminLinks,
        draft: Draft = Draft(),
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.runners = runners
        hasRunners = !runners.isEmpty
        isBusy = runners.contains { $0.tone == "accent" }
        mirrorsURL = links.mirrors
        actionURL = links.runners
        formCode = admin.code
        name = draft.name
        labels = draft.labels
        self.mirrors = mirrors.map { MirrorChoice(name: $0, among: draft.mirrors, of: mirrors) }
        references = ReferencesChoice.all(choosing: draft.references)
        hasMirrors = !mirrors.isEmpty
        problem = draft.problem
    }
}

/// A mirror that a runner may build for, as a checkbox.
struct MirrorChoice: Sendable {
    let name: String
    let isChosen: Bool

    init(name: String, among chosen: [String], of all: [String]) {
        self.name = name
        // A single mirror is always the intended one.
        isChosen = chosen.contains(name) || all.count == 1
    }
}

/// References whose builds a runner may take, as a radio button.
struct ReferencesChoice: Sendable {
    let value: String
    let label: String
    let isChosen: Bool

    static func all(choosing chosen: RunnerReferences) -> [ReferencesChoice] {
        RunnerReferences.allCases.map { references in
            let label =
                switch references {
                case .trusted: "trusted ones"
                case .untrusted: "untrusted ones, on a machine without anything of value"
                case .any: "both, which can then reach one another’s files and secrets"
                }
            return ReferencesChoice(
                value: references.rawValue,
                label: label,
                isChosen: references == chosen,
            )
        }
    }
}

/// One runner in a list, as texts.
package struct RunnerLine: Sendable {
    let name: String
    let url: String
    let state: String
    /// `good`, `warn`, `bad` or `accent`.
    let tone: String
    let labels: [String]
    let detail: String
    let build: Build?

    /// The build that a runner works on.
    package struct Build: Sendable {
        let words: String
        let url: String

        /// - Parameters:
        ///   - words: a text such as `browsey v1.3.0, build 12`.
        ///   - url: the path of the build's page.
        package init(words: String, url: String) {
            self.words = words
            self.url = url
        }
    }

    /// - Parameters:
    ///   - name: the runner's name.
    ///   - url: the path of its page.
    ///   - state: a text such as `online`.
    ///   - tone: `good`, `warn`, `bad` or `accent`.
    ///   - labels: the labels, in order.
    ///   - detail: the machine, and when its agent last sent anything.
    ///   - build: the build that it works on; nil for none.
    package init(
        name: String,
        url: String,
        state: String,
        tone: String,
        labels: [String],
        detail: String,
        build: Build?,
    ) {
        self.name = name
        self.url = url
        self.state = state
        self.tone = tone
        self.labels = labels
        self.detail = detail
        self.build = build
    }
}
