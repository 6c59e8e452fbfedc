import Foundation
package import Problems

/// The texts of one language, by key.
///
/// Values replace their placeholders, such as `{date}`; a text with a number has one form for each plural
/// category of the language. A key that the language lacks is looked up in English.
package final class Words: Sendable {
    package let language: Language
    private let entries: [String: Entry]
    private let fallback: Words?

    /// The value of a key in a catalogue.
    package enum Entry: Decodable, Sendable {
        case text(String)
        /// By CLDR plural category.
        case forms([String: String])

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .forms(try container.decode([String: String].self))
            }
        }
    }

    /// - Parameters:
    ///   - language: defines plurals and direction.
    ///   - entries: the texts by key.
    ///   - fallback: where missing keys are looked up; nil for the last catalogue.
    package init(_ language: Language, _ entries: [String: Entry], fallback: Words?) {
        self.language = language
        self.entries = entries
        self.fallback = fallback
    }

    /// The embedded English texts, for command lines and for pages that are always in English.
    package static let english: Words = {
        let bytes = Assets.embedded("languages/en.json") ?? []
        let entries = (try? catalogue(bytes)) ?? [:]
        return Words(.english, entries, fallback: nil)
    }()

    /// Parses a catalogue: a JSON object of texts, or of objects with their plural forms.
    ///
    /// - Throws: the decoder's error.
    package static func catalogue(_ bytes: [UInt8]) throws -> [String: Entry] {
        try JSONDecoder().decode([String: Entry].self, from: Data(bytes))
    }

    /// Returns whether this catalogue or its fallback has the key.
    package func has(_ key: String) -> Bool {
        entries[key] != nil || fallback?.has(key) == true
    }

    /// Returns the text with its values; the key itself if there is none.
    package func text(_ key: String, _ values: [String: String] = [:]) -> String {
        Self.filled(template(key) ?? key, values)
    }

    /// Returns the form of the text for a number, which replaces `{count}`.
    package func text(
        _ key: String,
        count: Int,
        _ values: [String: String] = [:],
    ) -> String {
        guard let entry = entries[key] else {
            return fallback?.text(key, count: count, values) ?? key
        }
        let values = values.merging(["count": number(count)]) { $1 }
        switch entry {
        case .text(let text): return Self.filled(text, values)
        case .forms(let forms):
            let form = forms[language.plurals.form(of: count)] ?? forms["other"]
            return Self.filled(form ?? key, values)
        }
    }

    /// Returns the text with its placeholders; nil if there is none, or if it has plural forms.
    func template(_ key: String) -> String? {
        guard case .text(let text)? = entries[key] else { return fallback?.template(key) }
        return text
    }

    /// Joins whole sentences.
    package func paragraph(_ sentences: [String]) -> String {
        sentences.joined(separator: text("sentence.separator"))
    }

    /// Turns a clause that also stands alone, such as a title, into a sentence.
    package func sentence(_ clause: String) -> String { clause + text("sentence.stop") }

    /// Replaces placeholders such as `{name}` by values; placeholders in values are left as they are.
    private static func filled(_ text: String, _ values: [String: String]) -> String {
        guard !values.isEmpty else { return text }
        var filled = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"),
            let end = rest[start...].firstIndex(of: "}")
        {
            let name = rest[rest.index(after: start)..<end]
            filled += rest[..<start]
            filled += values[String(name)] ?? "{\(name)}"
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}

/// A catalogue that cannot be used, which only an operator's assets can cause.
package struct BrokenCatalogue: ReportableError {
    let file: String
    let reason: String

    package var description: String { "the catalogue \(file) cannot be used: \(reason)" }
}

extension BrokenCatalogue {
    package var id: String { "assets.broken-catalogue" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "compare it with the catalogue that comes with ota" }
}
