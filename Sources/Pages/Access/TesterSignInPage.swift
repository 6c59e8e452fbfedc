/// Where a tester signs in at the provider.
package struct TesterSignInPage: Page {
    /// Why the page is shown.
    package enum Reason: Sendable {
        /// An app is for those who sign in: its title, and its icon as data.
        case app(name: String, iconURL: String?)
        /// Nothing is at the address for everyone; whether there is something for others is not said.
        case nothing
        /// The last sign-in came to nothing.
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
    ///   - reason: why it is shown.
    ///   - provider: its name; nil where no one can sign in.
    ///   - signInURL: where the button leads.
    ///   - chrome: what surrounds the page.
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
