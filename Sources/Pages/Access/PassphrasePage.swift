/// Where a visitor types the passphrase of an app.
package struct PassphrasePage: Page {
    package let chrome: PageChrome
    let name: String
    let iconURL: String?
    /// Binds the form to the browser that was given it.
    let formCode: String
    let problem: PageProblem?

    /// - Parameters:
    ///   - name: the app's title, all that is said of it.
    ///   - iconURL: its icon, as data.
    ///   - formCode: what the form carries.
    ///   - problem: why the last passphrase was refused and what to do, where one was.
    ///   - chrome: what surrounds the page.
    package init(
        name: String,
        iconURL: String?,
        formCode: String,
        problem: PageProblem? = nil,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        self.name = name
        self.iconURL = iconURL
        self.formCode = formCode
        self.problem = problem
    }
}
