import Foundation
import Pages

/// The languages of pages, and a pseudo-language: longer English texts, written from right to left.
enum ExampleLanguages {
    static let pseudo = Language(
        tag: "ar-XB",
        name: "[!! اللغة !!]",
        plurals: .oneOther,
        isRightToLeft: true,
    )

    static let catalogues = Result {
        let assets = try Assets()
        let english = try entries(of: .english)
        return try Catalogues(assets: assets)
            .adding(Words(pseudo, english.mapValues(disguised), fallback: nil))
    }

    static func entries(of language: Language) throws -> [String: Words.Entry] {
        let bytes = try Assets().bytes(of: "languages/\(language.tag).json") ?? []
        return try Words.catalogue(bytes)
    }

    /// Returns the pages in a language, with the language switch in their footer.
    static func pages(
        in language: Language,
        _ pages: ExamplePages = .init(),
    ) throws -> ExamplePages {
        var pages = pages
        pages.chrome = pages.chrome.speaking(
            try catalogues.get()[language],
            switchingAt: "/language",
            backTo: "/apps/browsey",
        )
        return pages
    }

    private static func disguised(_ entry: Words.Entry) -> Words.Entry {
        switch entry {
        case .text(let text): .text(disguised(text))
        case .forms(let forms): .forms(forms.mapValues(disguised))
        }
    }

    /// Makes a text half as long again, with Arabic at both ends; a text without words stays as it is.
    private static func disguised(_ text: String) -> String {
        let plain = text.replacing(/\{[a-z]+\}/, with: "")
        guard plain.contains(where: \.isLetter) else { return text }
        return "مرحبا " + text + String(repeating: " كلمة", count: 1 + plain.count / 12)
    }
}
