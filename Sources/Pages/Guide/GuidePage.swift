/// The guide for testers, from `docs/testers.md`.
package struct GuidePage: Page {
    package let chrome: PageChrome
    let title: String
    let introduction: String
    let sections: [Section]
    let startURL: String?

    struct Section: Sendable {
        let anchor: String
        let title: String
        let html: String
    }

    /// - Parameters:
    ///   - texts: the guide in all languages.
    ///   - startURL: the list of apps; nil in a static bundle.
    ///   - chrome: the page's header and footer.
    package init(_ texts: GuideTexts, startURL: String?, chrome: PageChrome) {
        let guide = texts[chrome.words.language]
        self.chrome = chrome
        self.startURL = startURL
        title = guide.title
        introduction = guide.introduction
        sections = guide.sections.map {
            Section(anchor: $0.anchor, title: $0.title, html: $0.html)
        }
    }
}
