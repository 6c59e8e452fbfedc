/// One job: its state, its steps, and its buttons.
package struct JobPage: AdminPage {
    package let admin: AdminChrome
    let job: JobLine
    let isBusy: Bool
    let progress: Progress?
    let steps: [Step]
    let facts: [Fact]
    let buttons: [ActionButton]
    let hasButtons: Bool
    let jobsURL: String?

    /// A step of the job.
    package struct Step: Sendable {
        let title: String
        let tone: String
        let state: String
        let isPresent: Bool

        /// - Parameters:
        ///   - title: what the step does.
        ///   - tone: `good`, `warn`, `bad`, `accent` or empty.
        ///   - state: its state.
        ///   - isPresent: whether it is the current step, or the last one.
        package init(title: String, tone: String, state: String, isPresent: Bool) {
            self.title = title
            self.tone = tone
            self.state = state
            self.isPresent = isPresent
        }
    }

    /// A row of the table.
    package struct Fact: Sendable {
        let name: String
        let value: String
        let url: String?

        package init(_ name: String, _ value: String, url: String? = nil) {
            self.name = name
            self.value = value
            self.url = url
        }
    }

    /// The progress of the current step.
    struct Progress: Sendable {
        let done: String
        let total: String
    }

    /// - Parameters:
    ///   - job: the job in short.
    ///   - parts: the completed and all parts of the current step; nil if unknown.
    ///   - steps: the job's steps in order.
    ///   - facts: further details.
    ///   - buttons: the possible actions; none for users who may only read.
    ///   - jobsURL: the list of jobs; nil for users who may not see it.
    ///   - admin: the page's header and navigation.
    package init(
        _ job: JobLine,
        parts: (done: Int, total: Int)?,
        steps: [Step],
        facts: [Fact],
        buttons: [ActionButton],
        jobsURL: String?,
        admin: AdminChrome,
    ) {
        self.job = job
        progress = parts.map { Progress(done: "\($0.done)", total: "\($0.total)") }
        self.steps = steps
        self.facts = facts
        self.buttons = buttons
        hasButtons = !buttons.isEmpty
        isBusy = job.isOpen
        self.jobsURL = jobsURL
        self.admin = admin
    }
}
