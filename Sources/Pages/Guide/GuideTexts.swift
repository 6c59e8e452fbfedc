import Synchronization

/// The guide in every language, each read when a page first needs it.
package final class GuideTexts: Sendable {
    private let assets: Assets
    /// By the tag of the language, as far as they are read.
    private let texts = Mutex<[String: GuideText]>([:])

    /// - Parameter assets: have the guides.
    package init(_ assets: Assets) {
        self.assets = assets
    }

    /// The guide in a language; the English one where there is none in it.
    subscript(_ language: Language) -> GuideText {
        texts.withLock { texts in
            if let known = texts[language.tag] { return known }
            let english = texts[Language.english.tag] ?? read(.english) ?? GuideText("")
            // Links name a section by the same words in every language.
            let text =
                language == .english ? english : read(language)?.anchored(as: english) ?? english
            texts[Language.english.tag] = english
            texts[language.tag] = text
            return text
        }
    }

    private func read(_ language: Language) -> GuideText? {
        assets.guide(in: language).map { GuideText($0) }
    }
}
