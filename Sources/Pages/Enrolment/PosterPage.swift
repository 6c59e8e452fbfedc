package import Foundation

/// An invitation to print and put up: a QR code to scan, and what happens then.
package struct PosterPage: Page {
    package let chrome: PageChrome
    let title: String
    let team: String?
    let url: String
    /// SVG.
    let code: String
    let until: String

    /// - Parameters:
    ///   - app: the title of the app to test; nil for no particular one.
    ///   - team: the inviting team's name; nil if nothing is published yet.
    ///   - url: the invitation's link.
    ///   - code: the link as a QR code in SVG.
    ///   - expires: when the invitation expires.
    ///   - chrome: the page's header and footer.
    package init(
        app: String?,
        team: String?,
        url: String,
        code: String,
        expires: Date,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        title =
            app.map { chrome.words.text("poster.title", ["app": $0]) }
            ?? chrome.words.text("invitation.join")
        self.team = team
        self.url = url
        self.code = code
        until = chrome.words.text("poster.until", ["date": chrome.words.day(expires)])
    }
}
