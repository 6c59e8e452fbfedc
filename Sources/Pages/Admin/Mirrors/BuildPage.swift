/// One build of a mirror: its steps, its artifacts, and its log, which grows while it runs.
package struct BuildPage: AdminPage {
    package let admin: AdminChrome
    let mirror: String
    let mirrorURL: String
    let build: BuildLine
    let commit: String
    let issues: [Line]
    let steps: [Step]
    let artifacts: [Line]
    /// Whether the beginning of the log is missing.
    let isLogCut: Bool
    let logURL: String
    /// Whether the line that shows why it failed is marked.
    let hasFailure: Bool
    let cancel: Cancel?
    let isBusy: Bool
    let hasIssues: Bool
    let hasSteps: Bool
    let hasArtifacts: Bool

    /// A step, an artifact, or an error.
    package struct Line: Sendable {
        let title: String
        let tone: String
        let detail: String?
        let note: String?
        let url: String?

        /// - Parameters:
        ///   - title: the step's name, the file's path, or the message of an error.
        ///   - tone: `good`, `warn`, `bad`, `accent`, or empty.
        ///   - detail: the result.
        ///   - note: a figure beside it.
        ///   - url: the path of the file.
        package init(
            title: String,
            tone: String,
            detail: String?,
            note: String? = nil,
            url: String? = nil,
        ) {
            self.title = title
            self.tone = tone
            self.detail = detail
            self.note = note
            self.url = url
        }
    }

    /// A step with its collapsible part of the log.
    struct Step: Sendable {
        let identifier: String
        let title: String
        let tone: String
        let detail: String?
        let note: String?
        /// As HTML; nil if nothing was printed.
        let log: String?
        let isOpen: Bool
    }

    /// The form that cancels the build.
    package struct Cancel: Sendable {
        let formCode: String
        let url: String

        package init(formCode: String, url: String) {
            self.formCode = formCode
            self.url = url
        }
    }

    /// - Parameters:
    ///   - mirror: the mirror's name.
    ///   - mirrorURL: the path of the mirror's page.
    ///   - build: the build's summary.
    ///   - commit: the commit that was built.
    ///   - issues: errors and failed tests in the log.
    ///   - steps: the steps in order.
    ///   - artifacts: the artifacts by path.
    ///   - log: the log, without secrets.
    ///   - isLogCut: whether its beginning is missing.
    ///   - logURL: the whole log, as a file.
    ///   - cancel: nil for an ended build, and for users who may only read.
    ///   - admin: the page's header and navigation.
    package init(
        mirror: String,
        mirrorURL: String,
        build: BuildLine,
        commit: String,
        issues: [Line] = [],
        steps: [Line],
        artifacts: [Line],
        log: String,
        isLogCut: Bool,
        logURL: String,
        cancel: Cancel?,
        admin: AdminChrome,
    ) {
        self.mirror = mirror
        self.mirrorURL = mirrorURL
        self.build = build
        self.commit = commit
        self.issues = issues
        let failed = steps.firstIndex { $0.tone == "bad" }
        let parts = BuildLogParts(
            log,
            isCut: isLogCut,
            names: steps.map(\.title),
            begun: steps.lastIndex { !$0.tone.isEmpty },
            messages: issues.map(\.title),
            failed: failed,
        )
        self.steps = Self.steps(steps, parts, isFailed: build.tone == "bad")
        self.artifacts = artifacts
        self.isLogCut = isLogCut
        self.logURL = logURL
        hasFailure = parts.hasFailure
        self.cancel = cancel
        isBusy = build.tone == "accent"
        hasIssues = !issues.isEmpty
        hasSteps = !self.steps.isEmpty
        hasArtifacts = !artifacts.isEmpty
        self.admin = admin
    }

    private static func steps(
        _ lines: [Line],
        _ parts: BuildLogParts,
        isFailed: Bool,
    ) -> [Step] {
        let isKnown =
            parts.failedStep != nil || lines.contains { ["bad", "accent"].contains($0.tone) }
        let other = { (identifier: String, title: String, html: String, isOpen: Bool) -> [Step] in
            html.isEmpty
                ? []
                : [
                    Step(
                        identifier: identifier,
                        title: title,
                        tone: "",
                        detail: nil,
                        note: nil,
                        log: html,
                        isOpen: isOpen,
                    )
                ]
        }
        let title = lines.isEmpty ? "Log" : "Preparation"
        let before = other(
            "step-0",
            title,
            parts.preparation,
            lines.isEmpty || (isFailed && !isKnown),
        )
        let steps = lines.enumerated().map { index, line in
            Step(
                identifier: "step-\(index + 1)",
                title: line.title,
                tone: line.tone,
                detail: line.detail,
                note: line.note,
                log: parts.steps[index],
                isOpen: index == parts.failedStep || ["bad", "accent"].contains(line.tone),
            )
        }
        return before + steps + other("step-after", "Artifacts", parts.artifacts, false)
    }
}
