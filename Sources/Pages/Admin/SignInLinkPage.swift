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
    ///   - actionURL: the form's target.
    ///   - name: whom the link was made for.
    ///   - styleURL: the style sheet of the admin pages.
    ///   - chrome: the page's header and footer.
    package init(actionURL: String, name: String, styleURL: String, chrome: PageChrome) {
        self.actionURL = actionURL
        self.name = name
        self.styleURL = styleURL
        self.chrome = chrome
    }
}
