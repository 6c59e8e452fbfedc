/// One build of a mirror: its steps, what it made, and its log, which grows while it runs.
package struct BuildPage: AdminPage {
    package let admin: AdminChrome
    let mirror: String
    let mirrorURL: String
    let build: BuildLine
    let commit: String
    let issues: [Line]
    let steps: [Line]
    let artifacts: [Line]
    let log: String
    /// Said when the log begins later than the build.
    let isLogCut: Bool
    let cancel: Cancel?
    let isBusy: Bool
    let hasIssues: Bool
    let hasSteps: Bool
    let hasArtifacts: Bool

    /// A step, a file that was made, or what went wrong.
    package struct Line: Sendable {
        let title: String
        let tone: String
        let detail: String?
        let note: String?
        let url: String?

        /// - Parameters:
        ///   - title: the step's name, the file's path, or the message of an error.
        ///   - tone: `good`, `warn`, `bad`, `accent`, or nothing.
        ///   - detail: what became of it.
        ///   - note: a figure beside it.
        ///   - url: where the file is.
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

    /// The form that ends it.
    package struct Cancel: Sendable {
        let formCode: String
        let url: String

        package init(formCode: String, url: String) {
            self.formCode = formCode
            self.url = url
        }
    }

    /// - Parameters:
    ///   - mirror: its name.
    ///   - mirrorURL: its page.
    ///   - build: the build in short.
    ///   - commit: what was built.
    ///   - issues: errors and failed tests of its log.
    ///   - steps: in their order.
    ///   - artifacts: by path.
    ///   - log: without secrets.
    ///   - isLogCut: whether its beginning is left out.
    ///   - cancel: nil when it is over, and for who may only look.
    ///   - admin: what stands around.
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
        cancel: Cancel?,
        admin: AdminChrome,
    ) {
        self.mirror = mirror
        self.mirrorURL = mirrorURL
        self.build = build
        self.commit = commit
        self.issues = issues
        self.steps = steps
        self.artifacts = artifacts
        self.log = log
        self.isLogCut = isLogCut
        self.cancel = cancel
        isBusy = build.tone == "accent"
        hasIssues = !issues.isEmpty
        hasSteps = !steps.isEmpty
        hasArtifacts = !artifacts.isEmpty
        self.admin = admin
    }
}
