import Bundles
import Identifiers
import Releases
import TestSupport
import Testing

struct SlugTests {
    @Test(arguments: [
        ("Browsey", "browsey"), ("SimBridge Client", "simbridge-client"), ("  A & B!  ", "a-b"),
        ("Браузер", "pare"), ("🦊", "pare"), ("", "pare"), ("../../etc", "etc"), ("--", "pare"),
        ("2048", "2048"), ("App\u{202E}gpj", "app-gpj"), ("a\0b\r\nc", "a-b-c"),
        (String(repeating: "a", count: 62) + " b", String(repeating: "a", count: 62)),
        (String(repeating: "a", count: 300), String(repeating: "a", count: 63)),
    ])
    func `a title becomes a slug, and a title without Latin letters gives way`(
        title: String,
        slug: String,
    ) throws {
        let identifier = try #require(BundleIdentifier("com.example.Pare"))
        #expect(Slug(title: title, identifier: identifier).rawValue == slug)
    }

    @Test(arguments: [
        "", "-a", "a-", "a--b", "A", "a_b", "a.b", "..", "a/b", "a b", "é", "a\0", "a\n", "%61",
        "а" /* Cyrillic */, "a\u{301}", String(repeating: "a", count: 64),
    ])
    func `only lower-case letters, digits and single hyphens make a slug`(text: String) {
        #expect(Slug(text) == nil)
    }

    @Test func `a number keeps a slug within its length and differs from every other`() throws {
        for base in [
            "a", String(repeating: "a", count: 63), String(repeating: "a", count: 60) + "-bc",
            String(repeating: "ab-", count: 20) + "abc",
        ] {
            let slug = try #require(Slug(base))
            let numbered = (2...1200).map(slug.numbered)
            #expect(Set(numbered).count == 1199)
            #expect(numbered.allSatisfy { Slug($0.rawValue) == $0 && $0 != slug })
        }
    }

    @Test func `any title gives a valid slug`() throws {
        let identifier = try #require(BundleIdentifier("com.example.app-1"))
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<2_000 {
            let scalars = (0..<80).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &generator))
            }
            var title = String.UnicodeScalarView()
            title.append(contentsOf: scalars)
            let slug = Slug(title: String(title), identifier: identifier)
            #expect(Slug(slug.rawValue) == slug)
        }
    }

    @Test func `JSON refuses what is no slug`() {
        #expect(throws: (any Error).self) { try StoredJSON.value([Slug].self, from: #"["a/b"]"#) }
    }
}
