import Synchronization

/// The texts of all languages.
///
/// A catalogue is parsed when a page first needs it, unless an operator has replaced files.
package final class Catalogues: Sendable {
    package let languages: [Language]
    private let assets: Assets
    /// Parsed catalogues by language tag.
    private let words: Mutex<[String: Words]>

    /// - Throws: ``BrokenCatalogue`` if an operator has replaced files and a catalogue cannot be parsed.
    package convenience init(assets: Assets) throws(BrokenCatalogue) {
        self.init(assets, [:], languages: Language.all)
        guard assets.hasOwn else { return }
        for language in languages { _ = try read(language) }
    }

    private init(_ assets: Assets, _ words: [String: Words], languages: [Language]) {
        self.assets = assets
        self.words = Mutex(words)
        self.languages = languages
    }

    /// Returns these catalogues and one more, such as a test's.
    package func adding(_ more: Words) -> Catalogues {
        Catalogues(
            assets,
            words.withLock { $0 }.merging([more.language.tag: more]) { $1 },
            languages: languages + [more.language],
        )
    }

    /// Returns the texts of a language; for an unknown one, the embedded English ones.
    package subscript(_ language: Language) -> Words {
        (try? read(language)) ?? .english
    }

    private func read(_ language: Language) throws(BrokenCatalogue) -> Words {
        if let known = words.withLock({ $0[language.tag] }) { return known }
        let entries = try Self.entries(of: language, assets)
        let fallback = language == .english ? nil : try read(.english)
        // Another page may have parsed it meanwhile.
        return words.withLock { words in
            if let known = words[language.tag] { return known }
            let read = Words(language, entries, fallback: fallback ?? .english)
            words[language.tag] = read
            return read
        }
    }

    /// Returns an operator's texts, supplemented by the embedded ones where they lack a key.
    private static func entries(
        of language: Language,
        _ assets: Assets,
    ) throws(BrokenCatalogue) -> [String: Words.Entry] {
        let file = "languages/\(language.tag).json"
        guard let bytes = assets.bytes(of: file) else { return [:] }
        do {
            let entries = try Words.catalogue(bytes)
            guard assets.hasOwn, let ours = Assets.embedded(file) else { return entries }
            return try Words.catalogue(ours).merging(entries) { $1 }
        } catch {
            throw BrokenCatalogue(file: file, reason: "\(error)")
        }
    }
}
