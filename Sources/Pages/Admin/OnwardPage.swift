/// Sends a browser to another page at once, without a script.
///
/// A redirect would not do: a request that another site started remains cross-site through all redirects,
/// so that browsers hold back `Strict` cookies; and a form may not redirect to another site.
package struct OnwardPage: Page {
    package let chrome: PageChrome
    let styleURL: String
    let title: String
    let message: String
    /// The target.
    let url: String
    /// The link's text, for browsers that do not follow it by themselves.
    let label: String

    /// - Parameters:
    ///   - title: what has happened.
    ///   - message: what comes next.
    ///   - url: the target.
    ///   - label: the link's text.
    ///   - styleURL: the style sheet of the admin pages.
    ///   - chrome: the page's header and footer.
    package init(
        title: String,
        message: String,
        url: String,
        label: String,
        styleURL: String,
        chrome: PageChrome,
    ) {
        self.title = title
        self.message = message
        self.url = url
        self.label = label
        self.styleURL = styleURL
        self.chrome = chrome
    }
}
