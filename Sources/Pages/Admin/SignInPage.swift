/// Where an admin shows a token.
package struct SignInPage: Page {
    package let chrome: PageChrome
    let styleURL: String
    let actionURL: String
    /// Where it leads afterwards.
    let destination: String
    let problem: PageProblem?
    /// Where a user who is signed in already continues: a browser shows the cookie to links of our
    /// own pages only.
    let onward: Onward?

    struct Onward: Sendable {
        let url: String
    }

    /// - Parameters:
    ///   - actionURL: where the form goes.
    ///   - destination: the path that it leads to.
    ///   - problem: why the last token was refused, and what to do.
    ///   - onward: where to continue without signing in again; nil when no user can be signed in.
    ///   - styleURL: the style of the admin's pages.
    ///   - chrome: what surrounds the page.
    package init(
        actionURL: String,
        destination: String,
        problem: PageProblem? = nil,
        onward: String? = nil,
        styleURL: String,
        chrome: PageChrome,
    ) {
        self.actionURL = actionURL
        self.destination = destination
        self.problem = problem
        self.onward = onward.map { Onward(url: $0) }
        self.styleURL = styleURL
        self.chrome = chrome
    }
}
