import Mustache
package import Problems

/// Renders pages as HTML, each with the template of its type's name.
package struct PageRenderer: Sendable {
    /// Templates by language tag.
    private let templates: [String: ParsedTemplates]

    /// - Throws: ``BrokenTemplate`` or ``BrokenCatalogue`` if an operator's templates or catalogues
    ///   cannot be parsed; embedded ones are parsed when they are needed.
    package init(assets: Assets) throws {
        try self.init(assets: assets, catalogues: Catalogues(assets: assets))
    }

    /// - Throws: ``BrokenTemplate`` if an operator has replaced files and a template cannot be parsed;
    ///   embedded ones are parsed when they are needed.
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

    /// - Throws: ``BrokenTemplate`` if an operator's assets lack the template.
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

/// A page: texts ready to show, and the page's header and footer.
package protocol Page: Sendable {
    var chrome: PageChrome { get }
}

/// The header and footer of a page, and the page's language.
package struct PageChrome: Sendable {
    /// The texts in the page's language.
    package private(set) var words: Words
    let styleURL: String?
    let scriptURL: String?
    /// The script that copies links when a button is tapped.
    let copyURL: String?
    let iconURL: String?
    let inlineStyle: String?
    let helpURL: String?
    /// The target of the language switch; nil on a page without one.
    private(set) var languageURL: String?
    /// The path to which the language switch returns.
    private(set) var path: String?

    /// Creates the chrome of pages that a server shows.
    ///
    /// - Parameters:
    ///   - publicURL: returns the path of a public file by its name.
    ///   - helpURL: the guide for testers whose install fails.
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

    /// Creates the chrome of a page that is a single file; `helpURL` is the guide beside it.
    package init(inlining assets: Assets, helpURL: String? = nil, words: Words = .english) {
        self.words = words
        styleURL = nil
        scriptURL = nil
        copyURL = nil
        iconURL = nil
        inlineStyle = String(decoding: assets.publicFiles["ota.css"] ?? [], as: UTF8.self)
        self.helpURL = helpURL
    }

    /// Returns the chrome in another language, with a language switch.
    ///
    /// - Parameters:
    ///   - words: the page's language.
    ///   - languageURL: the target of the language switch.
    ///   - path: the path of the page, to which it returns.
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

/// A template that cannot be used, which only an operator's assets can cause.
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
