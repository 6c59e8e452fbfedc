/// The sentences of every language, and what pages need to offer them.
package struct Catalogues: Sendable {
    /// By tag.
    private let words: [String: Words]
    package let languages: [Language]

    /// - Throws: ``BrokenCatalogue`` when one does not parse.
    package init(assets: Assets) throws(BrokenCatalogue) {
        var words: [String: Words] = [:]
        let english = Words(
            .english,
            try Self.entries(of: .english, assets),
            fallback: .english,
        )
        words[Language.english.tag] = english
        for language in Language.all where language != .english {
            words[language.tag] = Words(
                language,
                try Self.entries(of: language, assets),
                fallback: english,
            )
        }
        self.init(words, languages: Language.all)
    }

    private init(_ words: [String: Words], languages: [Language]) {
        self.words = words
        self.languages = languages
    }

    /// These and one more, such as a made-up one of a test.
    package func adding(_ more: Words) -> Catalogues {
        Catalogues(
            words.merging([more.language.tag: more]) { $1 },
            languages: languages + [more.language],
        )
    }

    package subscript(_ language: Language) -> Words { words[language.tag] ?? .english }

    private static func entries(
        of language: Language,
        _ assets: Assets,
    ) throws(BrokenCatalogue) -> [String: Words.Entry] {
        let file = "languages/\(language.tag).json"
        guard let bytes = assets.bytes(of: file) else { return [:] }
        do {
            return try Words.catalogue(bytes)
        } catch {
            throw BrokenCatalogue(file: file, reason: "\(error)")
        }
    }
}
