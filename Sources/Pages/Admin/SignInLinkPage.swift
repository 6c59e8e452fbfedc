/// The page of a one-time sign-in link.
///
/// Signing in requires tapping its button, so that software that previews links does not use the link up.
package struct SignInLinkPage: Page {
    package let chrome: PageChrome
    let styleURL: String
    let actionURL: String
    /// The name of the person for whom the link was created.
    let name: String

    /// - Parameters:
    ///   - actionURL: the form's target.
    ///   - name: the name of the person for whom the link was created.
    ///   - styleURL: the style sheet of the admin pages.
    ///   - chrome: the page's header and footer.
    package init(actionURL: String, name: String, styleURL: String, chrome: PageChrome) {
        self.actionURL = actionURL
        self.name = name
        self.styleURL = styleURL
        self.chrome = chrome
    }
}
