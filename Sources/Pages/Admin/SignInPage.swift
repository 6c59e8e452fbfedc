/// The admin's sign-in page: a button for the provider, and a form for a token.
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
    /// Where people prove themselves; nil where that is not set up.
    let provider: Provider?

    struct Provider: Sendable {
        let name: String
        let url: String
    }

    struct Onward: Sendable {
        let url: String
    }

    /// - Parameters:
    ///   - actionURL: the form's target.
    ///   - destination: the path that it leads to.
    ///   - problem: why the last token was refused, and what to do.
    ///   - onward: where to continue without signing in again; nil when no user can be signed in.
    ///   - provider: the name of a provider, and where a sign-in there begins; nil for none.
    ///   - styleURL: the style sheet of the admin pages.
    ///   - chrome: the page's header and footer.
    package init(
        actionURL: String,
        destination: String,
        problem: PageProblem? = nil,
        onward: String? = nil,
        provider: (name: String, url: String)? = nil,
        styleURL: String,
        chrome: PageChrome,
    ) {
        self.actionURL = actionURL
        self.destination = destination
        self.problem = problem
        self.onward = onward.map { Onward(url: $0) }
        self.provider = provider.map { Provider(name: $0.name, url: $0.url) }
        self.styleURL = styleURL
        self.chrome = chrome
    }
}
