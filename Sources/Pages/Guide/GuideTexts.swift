import Synchronization

/// The guide in every language, each parsed when a page first needs it.
package final class GuideTexts: Sendable {
    private let assets: Assets
    /// The parsed guides by language tag.
    private let texts = Mutex<[String: GuideText]>([:])

    /// - Parameter assets: contains the guides.
    package init(_ assets: Assets) {
        self.assets = assets
    }

    /// Returns the guide in a language; the English one if there is none.
    subscript(_ language: Language) -> GuideText {
        texts.withLock { texts in
            if let known = texts[language.tag] { return known }
            let english = texts[Language.english.tag] ?? read(.english) ?? GuideText("")
            // Section anchors are the same in every language.
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
