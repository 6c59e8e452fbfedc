import Foundation
import Pages
import Testing

/// The catalogues of all languages compared with each other, and with the code that uses their sentences.
struct CatalogueTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func forms(_ entry: Words.Entry) -> [String: String] {
        switch entry {
        case .text(let text): ["": text]
        case .forms(let forms): forms
        }
    }

    private static func placeholders(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{([a-z]+)\}/).map { String($0.output.1) })
    }

    @Test(arguments: Language.all)
    func `a language has every sentence, with its placeholders and plural forms`(
        language: Language
    ) throws {
        let english = try ExampleLanguages.entries(of: .english)
        let entries = try ExampleLanguages.entries(of: language)
        #expect(Set(english.keys).subtracting(entries.keys) == [], "missing")
        #expect(Set(entries.keys).subtracting(english.keys) == [], "unknown")
        for (key, entry) in entries {
            guard let model = english[key] else { continue }
            let forms = Self.forms(entry)
            let wanted = Self.forms(model).values.reduce(into: Set<String>()) {
                $0.formUnion(Self.placeholders($1))
            }
            let isCounted = Self.forms(model)[""] == nil
            let names = isCounted ? Set(language.plurals.forms) : [""]
            #expect(Set(forms.keys) == names, "\(key)")
            for (form, text) in forms {
                // If only 1 is singular, the sentence may omit the number.
                let isOne = form == "one" && language.plurals == .oneOther
                let names = Self.placeholders(text)
                #expect(names == wanted || isOne && names.union(["count"]) == wanted, "\(key)")
                #expect(key.hasPrefix("sentence.") || !text.isEmpty, "\(key)")
                #expect(text.components(separatedBy: "**").count % 2 == 1, "\(key): \(text)")
            }
        }
    }

    /// The sources of the templates, and of the code for testers' pages.
    private static func sources() throws -> [String] {
        let folders = [
            "Sources/Pages", "Sources/SiteServices", "Sources/TesterSite", "Sources/OTACommands",
            "templates",
        ]
        return try folders.flatMap { folder in
            let url = root.appending(path: folder)
            return try FileManager.default.subpathsOfDirectory(atPath: url.path()).filter {
                $0.hasSuffix(".swift") || $0.hasSuffix(".mustache")
            }.map { try String(contentsOf: url.appending(path: $0), encoding: .utf8) }
        }
    }

    @Test func `the code asks for every sentence, and for no other`() throws {
        let keys = Set(try ExampleLanguages.entries(of: .english).keys)
        var named: Set<String> = []
        var beginnings: Set<String> = []
        for text in try Self.sources() {
            for match in text.matches(of: /\[\[([a-z][a-z.-]*)\]\]/) {
                named.insert(String(match.output.1))
                #expect(keys.contains(String(match.output.1)), "\(match.output.1) of a template")
            }
            for match in text.matches(of: /"([a-z][a-z0-9.-]*)"/) {
                named.insert(String(match.output.1))
            }
            for match in text.matches(of: /"([a-z]+\.(?:[a-z]+\.)*)\\\(/) {
                beginnings.insert(String(match.output.1))
            }
            for match in text.matches(of: /(?:words|self)\.text\(\s*"([a-z0-9.-]+)"/) {
                #expect(keys.contains(String(match.output.1)), "\(match.output.1) of the code")
            }
        }
        let families: Set = ["refusal.", "problem.", "progress.", "date.month.", "way."]
        #expect(beginnings.isSuperset(of: families), "a family of sentences is no longer used")
        // The sentence for an app without a name is looked up with the suffix “.other”.
        let unused = keys.filter { key in
            !named.contains(key) && !families.contains(where: key.hasPrefix)
                && !(key.hasSuffix(".other") && named.contains(String(key.dropLast(6))))
        }
        #expect(unused == [], "nothing asks for them")
    }

    @Test(arguments: Language.all)
    func `pages in a language have nothing left to fill in, and none of another`(
        language: Language
    ) throws {
        // The notes, which the team writes, are in English, and are left out of the comparison.
        let pages = try ExampleLanguages.pages(in: language, ExamplePages(notes: "- Tabs"))
        let texts = try pages.spoken()
        for (name, html) in texts {
            // Parts that are marked as English may be in English.
            let parts = html.components(separatedBy: " lang=\"en\">").enumerated()
            let plain = parts.map { $0 == 0 ? $1 : String($1.drop { $0 != "<" }) }.joined()
            #expect(!plain.contains("{") && !plain.contains("[["), "\(name)")
            #expect(html.contains("<html lang=\"\(language.tag)\" dir=\"ltr\">"), "\(name)")
            guard language != .english else { continue }
            for word in [" the ", " your ", " this "] {
                #expect(!plain.lowercased().contains(word), "\(name) says “\(word)”")
            }
        }
    }

    @Test(arguments: Language.all)
    func `findings are marked as English where the page is not`(language: Language) throws {
        let words = try ExampleLanguages.catalogues.get()[language]
        let message = "The signature is missing."
        var pages = try ExampleLanguages.pages(in: language)
        pages.findings = [ExamplePages.blocking(message, "Sign it.")]
        let html = try pages.html(pages.install())
        let isMarked = html.contains("lang=\"en\">\(message)</p>")
        #expect(isMarked == (language != .english))
        #expect(html.contains("<span lang=\"en\">Sign it.</span>") == isMarked)
        #expect(html.contains(words.text("blocked.details")))
    }

    @Test(arguments: Language.all)
    func `a step says nothing twice`(language: Language) throws {
        let words = try ExampleLanguages.catalogues.get()[language]
        #expect(words.text("progress.hand") == words.sentence(words.text("way.build.hand")))
    }

    @Test(arguments: Language.all)
    func `the guide has the same sections, rows and anchors`(language: Language) throws {
        let shape = { (language: Language) in
            let html = try ExampleLanguages.pages(in: language).html(
                ExampleLanguages.pages(in: language).guide()
            )
            let anchors = html.matches(of: /<section class="card" id="([^"]*)"/).map {
                String($0.output.1)
            }
            #expect(!html.contains("**"), "what is bold is not shown as marks")
            let marks = html.matches(of: /<(dt|dd|li|ol)>/).map { String($0.output.1) }
            return (anchors, marks)
        }
        let (anchors, marks) = try shape(.english)
        #expect(anchors.contains("when-it-does-not-install"), "other pages link to it")
        #expect(try shape(language) == (anchors, marks))
    }

    @Test(arguments: [
        (PluralRule.oneOther, [0: "other", 1: "one", 2: "other", 21: "other"]),
        (.french, [0: "one", 1: "one", 2: "other", 100: "other"]),
        (
            .eastSlavic,
            [
                0: "many", 1: "one", 2: "few", 4: "few", 5: "many", 11: "many", 12: "many",
                14: "many", 21: "one", 22: "few", 101: "one", 111: "many", 112: "many",
            ],
        ),
        (.other, [0: "other", 1: "other", 5: "other"]),
    ])
    func `numbers take the forms of CLDR`(rule: PluralRule, forms: [Int: String]) {
        for (number, form) in forms { #expect(rule.form(of: number) == form, "\(number)") }
        #expect(Set(forms.values) == Set(rule.forms))
    }

    @Test(arguments: [
        ("", "en"), ("de", "de"), ("de-CH,de;q=0.9,en;q=0.8", "de"), ("DE-at", "de"),
        ("nl, fr;q=0.5, es;q=0.7", "es"), ("en;q=0.1, ru;q=0.2", "ru"), ("fr;q=0, de;q=0.1", "de"),
        ("zh-CN", "zh-Hans"), ("zh-Hans-SG", "zh-Hans"), ("zh", "zh-Hans"), ("zh-TW", "en"),
        ("zh-Hant-HK, ja;q=0.3", "ja"), ("*", "en"), ("de;q=2", "en"), ("de;q=x,fr;q=0.001", "fr"),
        ("den, deu", "en"), (String(repeating: "x,", count: 300) + "de", "en"),
    ])
    func `a browser is given the language that it asks for`(field: String, tag: String) {
        #expect(Language.preferred(field).tag == tag)
    }

    @Test(arguments: Language.all)
    func `marks stand as the language sets them`(language: Language) throws {
        var texts = try ExampleLanguages.entries(of: language).mapValues { Self.forms($0) }
            .mapValues { $0.values.joined(separator: "\n") }
        let guide = language == .english ? "docs/testers.md" : "docs/testers.\(language.tag).md"
        texts["the guide"] = String(
            decoding: try #require(Assets().bytes(of: guide)),
            as: UTF8.self,
        )
        for (key, text) in texts {
            switch language.tag {
            case "fr":
                // U+202F before ; ! ? and U+00A0 before a colon and inside guillemets.
                #expect(!text.contains(/[^\u{202f}\/][;!?](?!\/)/), "\(key): \(text)")
                #expect(!text.contains(/[^\u{a0}\d] ?:(?![\/\d-])/), "\(key): \(text)")
                #expect(!text.contains(/«[^\u{a0}]|[^\u{a0}]»/), "\(key): \(text)")
                #expect(!text.contains("'"), "\(key): \(text)")
            case "es":
                let marks = { (mark: Character) in text.count { $0 == mark } }
                #expect(marks("?") == marks("¿") && marks("!") == marks("¡"), "\(key): \(text)")
                #expect(!text.contains("«"), "\(key): \(text)")
                #expect(!text.lowercased().contains("usted"), "\(key) is formal")
            case "zh-Hans":
                #expect(!text.contains(/\p{Han}[,.;:!?]|[,.;:!?]\p{Han}/), "\(key): \(text)")
                #expect(!text.contains("您"), "\(key) is formal")
            default: break
            }
        }
    }

    @Test(arguments: [
        ("en", "10,000 versions"), ("de", "10.000 Versionen"), ("fr", "10 000 versions"),
        ("es", "10.000 versiones"), ("ru", "10 000 версий"), ("ja", "10,000個のバージョン"),
        ("zh-Hans", "10,000 个版本"),
    ])
    func `counts have the separator of the language`(tag: String, count: String) throws {
        let words = try ExampleLanguages.catalogues.get()[try #require(Language(tag: tag))]
        let text = words.text("history.count", count: 10_000)
        #expect(text.replacing(/[\u{a0}\u{202f}]/, with: " ") == count)
        #expect(!text.contains("0 000"), "the separator breaks no line")
        #expect(words.text("history.count", count: 9_999).contains("9999"))
    }

    @Test func `the first of a month is an ordinal in French`() throws {
        let first = Date(timeIntervalSince1970: 1_796_083_200)
        let words = try ExampleLanguages.catalogues.get()
        let french = try #require(Language(tag: "fr"))
        #expect(words[french].day(first) == "1er décembre 2026")
        #expect(words[french].day(first + 86_400) == "2 décembre 2026")
        #expect(words[.english].day(first) == "1 December 2026")
    }

    @Test(arguments: [
        ("en", "15 November 2026", "12.4 MB", "in 3 days", "1 device"),
        ("de", "15. November 2026", "12,4 MB", "in 3 Tagen", "{count} Gerät"),
        ("fr", "15 novembre 2026", "12,4 Mo", "dans 3 jours", ""),
        ("es", "15 de noviembre de 2026", "12,4 MB", "dentro de 3 días", ""),
        ("ja", "2026年11月15日", "12.4 MB", "3日後", ""),
        ("zh-Hans", "2026年11月15日", "12.4 MB", "3 天后", ""),
        ("ru", "15 ноября 2026 г.", "12,4 МБ", "через 3 дня", ""),
    ])
    func `dates, sizes and spans are written as the language writes them`(
        tag: String,
        day: String,
        size: String,
        distance: String,
        _: String,
    ) throws {
        let words = try ExampleLanguages.catalogues.get()[try #require(Language(tag: tag))]
        let date = Date(timeIntervalSince1970: 1_794_700_800)
        // French, Spanish and Russian have a no-break space between a number and its unit.
        let spaced = { (text: String) in
            text.replacing("\u{a0}", with: " ").replacing("\u{202f}", with: " ")
        }
        #expect(words.day(date) == day)
        #expect(spaced(words.size(12_400_000)) == size)
        #expect(words.distance(to: date + 3 * 86_400, from: date) == distance)
        #expect(words.size(999_499).contains("999"))
    }
}
