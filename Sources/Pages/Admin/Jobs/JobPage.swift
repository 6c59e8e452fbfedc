/// One job: where it is, why it waits or failed, its steps, and what can be done with it.
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

    /// A step of its kind.
    package struct Step: Sendable {
        let title: String
        let tone: String
        let state: String
        let isPresent: Bool

        /// - Parameters:
        ///   - title: what is done.
        ///   - tone: `good`, `warn`, `bad`, `accent` or nothing.
        ///   - state: what became of it.
        ///   - isPresent: whether it is the one that is done now, or was done last.
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

    /// How far the present step is.
    struct Progress: Sendable {
        let done: String
        let total: String
    }

    /// - Parameters:
    ///   - job: the job in short.
    ///   - parts: of the present step, those that are done and all of them; nil where that is unknown.
    ///   - steps: of its kind, in their order.
    ///   - facts: what else there is to know.
    ///   - buttons: what can be done with it; none for who may only look.
    ///   - jobsURL: of the list of jobs; nil for who may not see it.
    ///   - admin: what surrounds the page.
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
