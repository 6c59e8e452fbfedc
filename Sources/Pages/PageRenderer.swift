import Mustache
package import Problems

/// Turns page structs into HTML, each through the template of its own name.
package struct PageRenderer: Sendable {
    /// By the tag of the language.
    private let templates: [String: ParsedTemplates]

    /// - Throws: ``BrokenTemplate`` when a template does not parse, ``BrokenCatalogue`` for a catalogue; ours
    ///   are parsed when they are needed.
    package init(assets: Assets) throws {
        try self.init(assets: assets, catalogues: Catalogues(assets: assets))
    }

    /// - Throws: ``BrokenTemplate`` when a template does not parse and an operator's own are among them;
    ///   ours are parsed when they are needed.
    package init(assets: Assets, catalogues: Catalogues) throws(BrokenTemplate) {
        let texts = assets.templates()
        var templates: [String: ParsedTemplates] = [:]
        for language in catalogues.languages {
            let parsed = ParsedTemplates(texts, in: language, of: catalogues)
            if assets.hasOwn { try parsed.parseAll() }
            templates[language.tag] = parsed
        }
        self.templates = templates
    }

    /// - Throws: ``BrokenTemplate`` when an operator's assets lack the template.
    package func html(_ page: some Page) throws(BrokenTemplate) -> String {
        let name = String(describing: type(of: page))
        let language = page.chrome.words.language
        let templates = templates[language.tag] ?? templates[Language.english.tag]
        let library = try templates?.library(for: name)
        guard let html = library?.render(PageFields(of: page), withTemplate: name) else {
            throw BrokenTemplate(name: name, reason: "there is no such template")
        }
        return html
    }
}

/// A page: strings ready to show, and what surrounds them.
package protocol Page: Sendable {
    var chrome: PageChrome { get }
}

/// What every page has around its content, and the language that it is in.
package struct PageChrome: Sendable {
    /// The sentences of the page.
    package private(set) var words: Words
    let styleURL: String?
    let scriptURL: String?
    /// Copies links from buttons.
    let copyURL: String?
    let iconURL: String?
    let inlineStyle: String?
    let helpURL: String?
    /// Where the switch of languages goes; nil on a page without one.
    private(set) var languageURL: String?
    /// The path to which the switch comes back.
    private(set) var path: String?

    /// For pages that a server shows.
    ///
    /// - Parameters:
    ///   - publicURL: returns the path of a public file by its name.
    ///   - helpURL: where a tester reads on when an install does not work.
    ///   - words: the page's language.
    package init(
        publicURL: (String) -> String,
        helpURL: String? = nil,
        words: Words = .english,
    ) {
        self.words = words
        styleURL = publicURL("ota.css")
        scriptURL = publicURL("ota.js")
        copyURL = publicURL("copy.js")
        iconURL = publicURL("icon.svg")
        inlineStyle = nil
        self.helpURL = helpURL
    }

    /// For a page that stands alone as one file; `helpURL` is the guide beside it.
    package init(inlining assets: Assets, helpURL: String? = nil, words: Words = .english) {
        self.words = words
        styleURL = nil
        scriptURL = nil
        copyURL = nil
        iconURL = nil
        inlineStyle = String(decoding: assets.publicFiles["ota.css"] ?? [], as: UTF8.self)
        self.helpURL = helpURL
    }

    /// The same in another language, with a switch of languages.
    ///
    /// - Parameters:
    ///   - words: the page's language.
    ///   - languageURL: where the choice is sent.
    ///   - path: of the page, to which it comes back.
    /// - Returns: the changed chrome.
    package func speaking(
        _ words: Words,
        switchingAt languageURL: String,
        backTo path: String,
    ) -> PageChrome {
        var chrome = self
        chrome.words = words
        chrome.languageURL = languageURL
        chrome.path = path
        return chrome
    }
}

/// A template that cannot be used; only an operator's own assets can cause it.
package struct BrokenTemplate: ReportableError {
    let name: String
    let reason: String

    package var description: String { "template \(name).mustache cannot be used: \(reason)" }
}

extension BrokenTemplate {
    package var id: String { "assets.broken-template" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "compare it with the template that comes with ota" }
}
