/// A language of testers' pages.
///
/// The texts are in `languages/`, the guide in `docs/testers.*.md`; this type has the other properties of
/// a language.
package struct Language: Hashable, Sendable {
    /// The BCP 47 tag, such as `zh-Hans`; also the name of its files.
    package let tag: String
    /// Its name in the language itself.
    package let name: String
    package let isRightToLeft: Bool
    package let plurals: PluralRule

    /// - Parameters:
    ///   - tag: the BCP 47 tag.
    ///   - name: its name in the language itself.
    ///   - plurals: the rule for plural forms.
    ///   - isRightToLeft: whether it is written from right to left.
    package init(
        tag: String,
        name: String,
        plurals: PluralRule,
        isRightToLeft: Bool = false,
    ) {
        self.tag = tag
        self.name = name
        self.plurals = plurals
        self.isRightToLeft = isRightToLeft
    }

    package static let english = Language(tag: "en", name: "English", plurals: .oneOther)

    /// All languages of pages, in the order of the language switch.
    package static let all = [
        Language(tag: "de", name: "Deutsch", plurals: .oneOther),
        english,
        Language(tag: "es", name: "Español", plurals: .oneOther),
        Language(tag: "fr", name: "Français", plurals: .french),
        Language(tag: "ru", name: "Русский", plurals: .eastSlavic),
        Language(tag: "ja", name: "日本語", plurals: .other),
        Language(tag: "zh-Hans", name: "简体中文", plurals: .other),
    ]

    /// Creates the language with exactly this tag; nil if it is not one of ``all``.
    package init?(tag: some StringProtocol) {
        guard let language = Self.all.first(where: { $0.tag.utf8.elementsEqual(tag.utf8) }) else {
            return nil
        }
        self = language
    }

    package static func == (left: Language, right: Language) -> Bool { left.tag == right.tag }

    package func hash(into hasher: inout Hasher) { hasher.combine(tag) }
}

/// Selects the plural form for a whole number: the cardinal rules of CLDR 46, as far as whole numbers
/// below a million need them.
package enum PluralRule: Sendable {
    /// English, German and Spanish.
    case oneOther
    /// French: 0 and 1 are singular.
    case french
    /// Russian.
    case eastSlavic
    /// Japanese and Chinese.
    case other

    /// The plural forms of a text, with CLDR's names.
    package var forms: [String] {
        switch self {
        case .oneOther, .french: ["one", "other"]
        case .eastSlavic: ["one", "few", "many"]
        case .other: ["other"]
        }
    }

    package func form(of number: Int) -> String {
        switch self {
        case .oneOther: number == 1 ? "one" : "other"
        case .french: number == 0 || number == 1 ? "one" : "other"
        case .eastSlavic:
            switch (number.magnitude % 10, number.magnitude % 100) {
            case (1, let rest) where rest != 11: "one"
            case (2...4, let rest) where !(12...14).contains(rest): "few"
            default: "many"
            }
        case .other: "other"
        }
    }
}
