import Foundation
import Releases
import Testing

@testable import Pages

@Suite(.timeLimit(.minutes(2)))
struct ReleaseNotesTests {
    static let tags: Set = ["h3", "p", "br", "ul", "ol", "li", "em", "strong", "code", "a"]

    @Test(arguments: [
        ("Plain", "<p>Plain</p>\n"), ("a\nb\n\nc", "<p>a<br>\nb</p>\n<p>c</p>\n"),
        ("# A\n### B", "<h3>A</h3>\n<h3>B</h3>\n"), ("#tag", "<p>#tag</p>\n"),
        ("- a\n* b\n+ c\n• d", "<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n<li>d</li>\n</ul>\n"),
        ("1. a\n2) b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"),
        ("- a\n1. b", "<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>\n"),
        ("2.4.0 is out", "<p>2.4.0 is out</p>\n"), ("a\r\n\r\nb", "<p>a</p>\n<p>b</p>\n"),
        (
            "*a* **b** _c_ __d__",
            "<p><em>a</em> <strong>b</strong> <em>c</em> <strong>d</strong></p>\n",
        ),
        ("***a***", "<p><strong><em>a</em></strong></p>\n"),
        ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>\n"),
        ("snake_case_name 2*3*4", "<p>snake_case_name 2*3*4</p>\n"),
        ("*open", "<p>*open</p>\n"), ("a * b * c", "<p>a * b * c</p>\n"),
        ("`a*b*<c>`", "<p><code>a*b*&lt;c&gt;</code></p>\n"), ("`open", "<p>`open</p>\n"),
        (
            "[a](https://e.example/?x=1&y=2)",
            "<p><a href=\"https://e.example/?x=1&amp;y=2\" rel=\"noopener noreferrer nofollow\">a</a></p>\n",
        ),
        (
            "[m](mailto:a@e.example)",
            "<p><a href=\"mailto:a@e.example\" rel=\"noopener noreferrer nofollow\">m</a></p>\n",
        ),
        ("[x] done", "<p>[x] done</p>\n"), ("", ""), ("\n\n", ""),
        ("<b>&amp;", "<p>&lt;b&gt;&amp;amp;</p>\n"),
    ])
    func `the small part of Markdown is read`(markdown: String, html: String) {
        #expect(ReleaseNotes.html(markdown) == html)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", "data:text/html,x",
        "vbscript:x", "http://example.com", "//example.com", "/apps", "file:///etc/passwd",
        "itms-services://?url=x", " https://example.com", "https://a b", "https:example.com", "",
        "\u{1}javascript:alert(1)", "HTTPS://example.com",
    ])
    func `other addresses stay text`(address: String) {
        let html = ReleaseNotes.html("[label](\(address))")
        #expect(!html.contains("<a"))
        #expect(html.contains("[label]("))
    }

    static let nasty: [(name: String, unit: String, end: String)] = [
        ("stars", "*", ""), ("doubled stars", "**a ", ""), ("nested emphasis", "*a **b ", ""),
        ("nested underscores", "_a __b ", "__"), ("brackets", "[", "]("), ("links", "[a](", ")"),
        ("long targets", "[a](https://bbbbbbbb", ""), ("labels", "[a]", ")"), ("ticks", "`", ""),
        ("odd ticks", "`a` ` ", ""), ("quotes", "> ", ""), ("lines", "\n", ""),
        ("items", "- a\n", ""),
        ("headings", "# a\n", ""), ("accents", "\u{301}", ""),
        ("accents of two classes", "\u{301}\u{327}", ""), ("joined people", "👩\u{200D}", ""),
        ("flags", "\u{1F1E6}", ""), ("angle brackets", "<", ">"), ("mixed", "*_`[(", ")]`_*"),
        ("starred accents", "*\u{301}", ""), ("spaces", " ", "x"), ("digits", "1", ". a"),
    ]

    @Test(arguments: nasty.map(\.name))
    func `a megabyte of anything is read in bounded time`(name: String) throws {
        let pattern = try #require(Self.nasty.first { $0.name == name })
        let count = (1 << 20) / pattern.unit.utf8.count
        let html = ReleaseNotes.html(String(repeating: pattern.unit, count: count) + pattern.end)
        #expect(html.utf8.count < 8 << 20)
    }
}
