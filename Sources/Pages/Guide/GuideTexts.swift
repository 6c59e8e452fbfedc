/// The guide in every language.
package struct GuideTexts: Sendable {
    private let english: GuideText
    /// By the tag of the language.
    private let texts: [String: GuideText]

    package init(_ assets: Assets) {
        let english = GuideText(assets.guide(in: .english) ?? "")
        self.english = english
        texts = Language.all.reduce(into: [:]) { texts, language in
            texts[language.tag] = assets.guide(in: language).map { text in
                // Links name a section by the same words in every language.
                GuideText(text).anchored(as: english)
            }
        }
    }

    subscript(_ language: Language) -> GuideText { texts[language.tag] ?? english }
}
