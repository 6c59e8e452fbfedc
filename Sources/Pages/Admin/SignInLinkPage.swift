/// Where a link that was made on the server's machine leads: one button, so that nothing that only looks at
/// links uses it up.
package struct SignInLinkPage: Page {
    package let chrome: PageChrome
    let styleURL: String
    let actionURL: String
    /// Whom the link was made for.
    let name: String

    /// - Parameters:
    ///   - actionURL: where the form goes.
    ///   - name: whom the link was made for.
    ///   - styleURL: the style of the admin's pages.
    ///   - chrome: what surrounds the page.
    package init(actionURL: String, name: String, styleURL: String, chrome: PageChrome) {
        self.actionURL = actionURL
        self.name = name
        self.styleURL = styleURL
        self.chrome = chrome
    }
}
