/// The page on which a visitor enters an app's passphrase.
package struct PassphrasePage: Page {
    package let chrome: PageChrome
    let name: String
    let iconURL: String?
    /// Binds the form to the browser that received it.
    let formCode: String
    let problem: PageProblem?

    /// - Parameters:
    ///   - name: the app's title, the only detail shown.
    ///   - iconURL: its icon, as a `data:` URL.
    ///   - formCode: the value of the form's `form` field.
    ///   - problem: why the last passphrase was refused, and what to do; nil for none.
    ///   - chrome: the page's header and footer.
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
