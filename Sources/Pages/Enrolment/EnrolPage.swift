/// Where a tester types the six digits of an invitation.
package struct EnrolPage: Page {
    package let chrome: PageChrome
    let actionURL: String
    let problem: Problem?

    struct Problem: Sendable {
        let message: String
        let fix: String
    }

    /// - Parameters:
    ///   - actionURL: where the form goes.
    ///   - problem: why the last code was refused and what to do, where one was.
    ///   - chrome: what surrounds the page.
    package init(
        actionURL: String,
        problem: (message: String, fix: String)? = nil,
        chrome: PageChrome,
    ) {
        self.actionURL = actionURL
        self.problem = problem.map { Problem(message: $0.message, fix: $0.fix) }
        self.chrome = chrome
    }
}
