import Mustache
import Synchronization

/// The templates of the pages in one language, each parsed when a page first needs it.
///
/// A server has some fifty of them, and parsing them all takes longer than anything else that it
/// makes before its first answer.
final class ParsedTemplates: Sendable {
    /// What the template engine knows so far, and the names of those.
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
    ///   - language: in which they are filled.
    ///   - catalogues: have the sentences of the language.
    init(_ texts: [String: String], in language: Language, of catalogues: Catalogues) {
        HTMLText.register()
        self.texts = texts
        self.language = language
        self.catalogues = catalogues
    }

    /// Parses all that are not parsed yet: in English every one, in another language those that differ.
    ///
    /// - Throws: ``BrokenTemplate`` for one that does not parse.
    func parseAll() throws(BrokenTemplate) {
        try parsed.withLock { parsed throws(BrokenTemplate) in
            for (name, text) in texts
            where language == .english || TemplateWords.isTranslated(text) {
                try parse(name, into: &parsed)
            }
        }
    }

    /// A library with this template and with all that it includes, as far as there are such templates.
    ///
    /// - Throws: ``BrokenTemplate`` for one that does not parse.
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
            // Ours is the first line.
            let line = error.context.lineNumber - 1
            throw BrokenTemplate(name: name, reason: "line \(line): \(error.error)")
        } catch {
            throw BrokenTemplate(name: name, reason: "\(error)")
        }
    }

    /// The names in `{{<Layout}}` and `{{>Row}}`.
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
