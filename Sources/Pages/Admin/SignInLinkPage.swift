/// The page behind a one-time sign-in link.
///
/// Signing in takes a tap on its button, so that software that previews links does not use the link up.
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
