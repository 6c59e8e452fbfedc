import Foundation
package import Problems

/// The sentences of one language, by key.
///
/// A value comes in by the name of its placeholder, such as `{date}`; a sentence with a number has one
/// entry with a form for each category of its language. A key that the language lacks is answered in
/// English.
package final class Words: Sendable {
    package let language: Language
    private let entries: [String: Entry]
    private let fallback: Words?

    /// What a catalogue has under one key.
    package enum Entry: Decodable, Sendable {
        case text(String)
        /// By category of CLDR.
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
    ///   - language: whose plurals and direction count.
    ///   - entries: by key.
    ///   - fallback: where a missing key is looked up; nil for the last one.
    package init(_ language: Language, _ entries: [String: Entry], fallback: Words?) {
        self.language = language
        self.entries = entries
        self.fallback = fallback
    }

    /// Those in the binary, for command lines and for pages that are in English for every reader.
    package static let english: Words = {
        let bytes = Assets.embedded("languages/en.json") ?? []
        let entries = (try? catalogue(bytes)) ?? [:]
        return Words(.english, entries, fallback: nil)
    }()

    /// Reads a catalogue: a JSON object whose values are sentences, or objects of their plural forms.
    ///
    /// - Throws: what the decoder reports.
    package static func catalogue(_ bytes: [UInt8]) throws -> [String: Entry] {
        try JSONDecoder().decode([String: Entry].self, from: Data(bytes))
    }

    /// Whether the catalogue has the key, or the one that it falls back on.
    package func has(_ key: String) -> Bool {
        entries[key] != nil || fallback?.has(key) == true
    }

    /// The sentence with its values; the key itself where there is none.
    package func text(_ key: String, _ values: [String: String] = [:]) -> String {
        Self.filled(template(key) ?? key, values)
    }

    /// The form of the sentence for a number, which is `{count}` in it.
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

    /// The sentence as the catalogue has it; nil for none, and for one with plural forms.
    func template(_ key: String) -> String? {
        guard case .text(let text)? = entries[key] else { return fallback?.template(key) }
        return text
    }

    /// Whole sentences one after the other.
    package func paragraph(_ sentences: [String]) -> String {
        sentences.joined(separator: text("sentence.separator"))
    }

    /// A clause that stands alone elsewhere, such as a title, as a sentence.
    package func sentence(_ clause: String) -> String { clause + text("sentence.stop") }

    /// Puts values in the place of `{name}`; placeholders inside a value are left as they are.
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

/// A catalogue that cannot be used; only an operator's own assets can cause it.
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
