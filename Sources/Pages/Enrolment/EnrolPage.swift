/// The page on which a tester enters the six digits of an invitation.
package struct EnrolPage: Page {
    package let chrome: PageChrome
    let actionURL: String
    let problem: PageProblem?

    /// - Parameters:
    ///   - actionURL: the form's target.
    ///   - problem: why the last code was refused, and what to do; nil for none.
    ///   - chrome: the page's header and footer.
    package init(
        actionURL: String,
        problem: PageProblem? = nil,
        chrome: PageChrome,
    ) {
        self.actionURL = actionURL
        self.problem = problem
        self.chrome = chrome
    }
}
