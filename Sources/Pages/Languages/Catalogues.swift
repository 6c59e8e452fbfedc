import Synchronization

/// The sentences of every language, and what pages need to offer them.
///
/// A catalogue is read when a page first needs it, unless an operator's own files are among them.
package final class Catalogues: Sendable {
    package let languages: [Language]
    private let assets: Assets
    /// By tag, as far as they are read.
    private let words: Mutex<[String: Words]>

    /// - Throws: ``BrokenCatalogue`` when one does not parse and an operator's own are among them.
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

    /// These and one more, such as a made-up one of a test.
    package func adding(_ more: Words) -> Catalogues {
        Catalogues(
            assets,
            words.withLock { $0 }.merging([more.language.tag: more]) { $1 },
            languages: languages + [more.language],
        )
    }

    /// The sentences of a language; the English ones of the binary for one that is not among them.
    package subscript(_ language: Language) -> Words {
        (try? read(language)) ?? .english
    }

    private func read(_ language: Language) throws(BrokenCatalogue) -> Words {
        if let known = words.withLock({ $0[language.tag] }) { return known }
        let entries = try Self.entries(of: language, assets)
        let fallback = language == .english ? nil : try read(.english)
        // Another page may have been quicker.
        return words.withLock { words in
            if let known = words[language.tag] { return known }
            let read = Words(language, entries, fallback: fallback ?? .english)
            words[language.tag] = read
            return read
        }
    }

    /// An operator's own sentences and ours where those lack one.
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
