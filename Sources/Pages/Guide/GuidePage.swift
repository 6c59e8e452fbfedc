/// The guide for testers, as `docs/testers.md` has it.
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
    ///   - texts: the guide in the language of the page.
    ///   - startURL: the list of apps; nil in a folder of files.
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
