/// Leads a browser on to another page at once, without a script.
///
/// A redirect would not do: what another site began stays another site's as long as it is redirected, and a
/// browser holds back cookies that are for our own pages only; nor may a form lead to another site.
package struct OnwardPage: Page {
    package let chrome: PageChrome
    let styleURL: String
    let title: String
    let message: String
    /// Where it leads.
    let url: String
    /// What the link says, for a browser that does not go there by itself.
    let label: String

    /// - Parameters:
    ///   - title: what has happened.
    ///   - message: what comes next.
    ///   - url: where it leads.
    ///   - label: what the link says.
    ///   - styleURL: the style of the admin's pages.
    ///   - chrome: what surrounds the page.
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
