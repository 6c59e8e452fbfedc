import Mustache
package import Problems

/// Turns page structs into HTML, each through the template of its own name.
package struct PageRenderer: Sendable {
    private let templates: ParsedTemplates

    /// - Throws: ``BrokenTemplate`` when a template does not parse and an operator's own are among them;
    ///   ours are parsed when they are needed.
    package init(assets: Assets) throws(BrokenTemplate) {
        templates = ParsedTemplates(assets.templates())
        if assets.hasOwn { try templates.parseAll() }
    }

    /// - Throws: ``BrokenTemplate`` when an operator's assets lack the template.
    package func html(_ page: some Page) throws(BrokenTemplate) -> String {
        let name = String(describing: type(of: page))
        let library = try templates.library(for: name)
        guard let html = library.render(PageFields(of: page), withTemplate: name) else {
            throw BrokenTemplate(name: name, reason: "there is no such template")
        }
        return html
    }
}

/// A page: strings ready to show, and what surrounds them.
package protocol Page: Sendable {
    var chrome: PageChrome { get }
}

/// What every page has around its content.
package struct PageChrome: Sendable {
    let styleURL: String?
    let scriptURL: String?
    let iconURL: String?
    let inlineStyle: String?
    let helpURL: String?

    /// For pages that a server shows.
    ///
    /// - Parameters:
    ///   - publicURL: gives the URL of a public file by its name.
    ///   - helpURL: where a tester reads on when an install does not work.
    package init(publicURL: (String) -> String, helpURL: String? = nil) {
        styleURL = publicURL("ota.css")
        scriptURL = publicURL("ota.js")
        iconURL = publicURL("icon.svg")
        inlineStyle = nil
        self.helpURL = helpURL
    }

    /// For a page that stands alone as one file; `helpURL` is the guide beside it.
    package init(inlining assets: Assets, helpURL: String? = nil) {
        styleURL = nil
        scriptURL = nil
        iconURL = nil
        inlineStyle = String(decoding: assets.publicFiles["ota.css"] ?? [], as: UTF8.self)
        self.helpURL = helpURL
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
