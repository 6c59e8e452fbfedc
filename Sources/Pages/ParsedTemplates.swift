import Mustache
import Synchronization

/// The templates of pages in one language, each parsed when a page first needs it.
///
/// There are about fifty, and parsing all of them would take longer than anything else before the
/// server's first response.
final class ParsedTemplates: Sendable {
    /// The template engine's library so far, and the names of the templates in it.
    private struct Parsed {
        var library = MustacheLibrary()
        var names: Set<String> = []
    }

    /// By name, such as `InstallPage`.
    private let texts: [String: String]
    private let language: Language
    private let catalogues: Catalogues
    private let parsed = Mutex(Parsed())

    /// - Parameters:
    ///   - texts: the templates by name.
    ///   - language: the language whose texts are inserted.
    ///   - catalogues: provide the texts of the language.
    init(_ texts: [String: String], in language: Language, of catalogues: Catalogues) {
        HTMLText.register()
        self.texts = texts
        self.language = language
        self.catalogues = catalogues
    }

    /// Parses all remaining templates: all for English, only the translated ones for another language.
    ///
    /// - Throws: ``BrokenTemplate`` for a template that cannot be parsed.
    func parseAll() throws(BrokenTemplate) {
        try parsed.withLock { parsed throws(BrokenTemplate) in
            for (name, text) in texts
            where language == .english || TemplateWords.isTranslated(text) {
                try parse(name, into: &parsed)
            }
        }
    }

    /// Returns a library with this template and all that it includes, as far as they exist.
    ///
    /// - Throws: ``BrokenTemplate`` for a template that cannot be parsed.
    func library(for name: String) throws(BrokenTemplate) -> MustacheLibrary {
        try parsed.withLock { parsed throws(BrokenTemplate) in
            try parse(name, into: &parsed)
            return parsed.library
        }
    }

    private func parse(_ name: String, into parsed: inout Parsed) throws(BrokenTemplate) {
        guard !parsed.names.contains(name), let template = texts[name] else { return }
        let words = TemplateWords(words: catalogues[language], languages: catalogues.languages)
        let text = words.filled(template)
        parsed.library.register(try Self.template(text, named: name), named: name)
        parsed.names.insert(name)
        for included in Self.included(by: text) { try parse(included, into: &parsed) }
    }

    private static func template(
        _ text: String,
        named name: String,
    ) throws(BrokenTemplate) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: HTMLText.pragma + text)
        } catch let error as MustacheTemplate.ParserError {
            // The first line is our own pragma.
            let line = error.context.lineNumber - 1
            throw BrokenTemplate(name: name, reason: "line \(line): \(error.error)")
        } catch {
            throw BrokenTemplate(name: name, reason: "\(error)")
        }
    }

    /// Returns the names in `{{<Layout}}` and `{{>Row}}`.
    private static func included(by text: String) -> [String] {
        let bytes = Array(text.utf8)
        var names: [String] = []
        var index = 0
        while index + 2 < bytes.count {
            guard bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{"),
                [UInt8(ascii: "<"), UInt8(ascii: ">")].contains(bytes[index + 2])
            else {
                index += 1
                continue
            }
            let name = bytes[(index + 3)...].prefix { $0 != UInt8(ascii: "}") }
            names.append(
                String(decoding: name.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
            )
            index = name.endIndex
        }
        return names
    }
}
