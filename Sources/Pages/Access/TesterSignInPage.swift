/// The page on which a tester signs in through the provider.
package struct TesterSignInPage: Page {
    /// Why the page is shown.
    package enum Reason: Sendable {
        /// An app requires signing in: its title, and its icon as a `data:` URL.
        case app(name: String, iconURL: String?)
        /// The path has nothing for everyone; the page does not reveal whether it has something for
        /// others.
        case nothing
        /// The last sign-in failed.
        case refused(PageProblem)
    }

    package let chrome: PageChrome
    let title: String
    let message: String?
    let iconURL: String?
    /// Whether the title is an app's.
    let isApp: Bool
    let problem: PageProblem?
    let signInURL: String?
    let button: String

    /// - Parameters:
    ///   - reason: why the page is shown.
    ///   - provider: the provider's name; nil if sign-in is not set up.
    ///   - signInURL: the target of the button.
    ///   - chrome: the page's header and footer.
    package init(
        _ reason: Reason,
        provider: String?,
        signInURL: String,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        let words = chrome.words
        self.signInURL = provider == nil ? nil : signInURL
        button = words.text("signin.button", ["provider": provider ?? ""])
        switch reason {
        case .app(let name, let icon):
            (title, iconURL, problem, isApp) = (name, icon, nil, true)
            message = words.text(
                provider == nil ? "signin.closed" : "signin.message",
                ["name": name],
            )
        case .nothing:
            (title, iconURL, problem, isApp) = (
                words.text("signin.nothing.title"), nil, nil, false,
            )
            message = words.text("signin.nothing.message")
        case .refused(let refusal):
            (title, iconURL, problem, isApp) = (words.text("signin.tab"), nil, refusal, false)
            message = nil
        }
    }
}
