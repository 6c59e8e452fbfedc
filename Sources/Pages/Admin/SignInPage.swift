/// The admin's sign-in page: a button for the provider, and a form for a token.
package struct SignInPage: Page {
    package let chrome: PageChrome
    let styleURL: String
    let actionURL: String
    /// The path to open afterwards.
    let destination: String
    let problem: PageProblem?
    /// A link for users who are already signed in: browsers send the cookie only after a link on one of
    /// our own pages.
    let onward: Onward?
    /// The provider through which people sign in; nil if that is not set up.
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
    ///   - destination: the path to open afterwards.
    ///   - problem: why the last token was refused, and what to do.
    ///   - onward: the path to open without signing in again; nil if no user can be signed in.
    ///   - provider: the provider's name, and the path that starts signing in; nil for none.
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
