import Foundation
import Releases
import Testing

@testable import Pages

@Suite(.timeLimit(.minutes(10)))
struct ReleaseNotesTests {
    static let tags: Set = [
        "h3", "p", "br", "ul", "ol", "li", "em", "strong", "code", "a", "del", "pre", "blockquote",
        "hr", "div", "table", "thead", "tbody", "tr", "th", "td",
    ]

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
        (
            "上の**設定**を*開*く、コード**A**と",
            "<p>上の<strong>設定</strong>を<em>開</em>く、コード<strong>A</strong>と</p>\n",
        ),
        ("設_定_ a**b**", "<p>設_定_ a**b**</p>\n"),
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
        ("~~a~~ ~b~ ~~open", "<p><del>a</del> ~b~ ~~open</p>\n"),
        ("``a`b`` `c", "<p><code>a`b</code> `c</p>\n"), ("\\*a\\* \\x", "<p>*a* \\x</p>\n"),
        ("## A ##\nB\n---", "<h3>A</h3>\n<h3>B</h3>\n"),
        ("a\n\n---\n* * *", "<p>a</p>\n<hr>\n<hr>\n"),
    ])
    func `lines, lists and marks are read as people write them`(markdown: String, html: String) {
        #expect(ReleaseNotes.html(markdown) == html)
    }

    @Test(arguments: [
        (
            "```swift\nlet a = 1 < 2\n    b\n```\nc",
            "<pre tabindex=\"0\" dir=\"ltr\"><code>let a = 1 &lt; 2\n    b\n</code></pre>\n<p>c</p>\n",
        ),
        ("~~~\n# a\n", "<pre tabindex=\"0\" dir=\"ltr\"><code># a\n\n</code></pre>\n"),
        (
            "> a\n> - b\nlazy\n\nc",
            "<blockquote>\n<p>a</p>\n<ul>\n<li>b\nlazy</li>\n</ul>\n</blockquote>\n<p>c</p>\n",
        ),
        (
            "- a\n  wrapped\n  - b\n    1. c\n- d\n\n  e",
            "<ul>\n<li>a\nwrapped\n<ul>\n<li>b\n<ol>\n<li>c</li>\n</ol>\n</li>\n</ul>\n</li>\n"
                + "<li>d\n<p>e</p>\n</li>\n</ul>\n",
        ),
        ("3. a\n4. b", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n"),
        (
            "| A | B |\n|:-:|--:|\n| `x` \\| y | 2 | 3 |\n\nz",
            "<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead>\n"
                + "<tr><th class=\"center\">A</th><th class=\"end\">B</th></tr>\n</thead>\n<tbody>\n"
                + "<tr><td class=\"center\"><code>x</code> | y</td><td class=\"end\">2</td></tr>\n"
                + "</tbody>\n</table>\n</div>\n<p>z</p>\n",
        ),
        ("a | b\n1 | 2", "<p>a | b<br>\n1 | 2</p>\n"),
    ])
    func `code, quotes, lists within lists and tables are blocks`(markdown: String, html: String) {
        #expect(ReleaseNotes.html(markdown) == html)
    }

    @Test func `what is longer than twelve lines is folded, and nothing of it is lost`() {
        let short = (1...16).map { "- item \($0)" }.joined(separator: "\n")
        #expect(!ReleaseNotes.section(short).contains("<details"))
        let items = (1...40).map { "- item \($0)" }.joined(separator: "\n")
        let long = ReleaseNotes.section("Before\n\n# Changes\n" + items)
        let parts = long.components(separatedBy: "<summary>Show all</summary>")
        #expect(parts.count == 2)
        #expect(parts[0].contains("<li>item 10</li>") && !parts[0].contains("<li>item 11</li>"))
        #expect(parts[1].contains("<li>item 11</li>") && parts[1].contains("<li>item 40</li>"))
        let headed = ReleaseNotes.section(
            String(repeating: "a\n", count: 11) + "\n# Last\n\n"
                + String(repeating: "b\n", count: 9)
        )
        let halves = headed.components(separatedBy: "<details")
        #expect(!halves[0].contains("Last") && halves[1].contains("<h3>Last</h3>"))
    }

    @Test(arguments: ["> ", "- ", "1. ", "> - "])
    func `what is nested a hundred times ends as text`(mark: String) {
        let html = ReleaseNotes.html(String(repeating: mark, count: 100) + "end")
        #expect(html.contains("end"))
        #expect(html.components(separatedBy: "<li>").count <= 7)
        #expect(html.components(separatedBy: "<blockquote>").count <= 7)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", "data:text/html,x",
        "vbscript:x", "http://example.com", "//example.com", "/apps", "file:///etc/passwd",
        "itms-services://?url=x", " https://example.com", "https://a b", "https:example.com", "",
        "\u{1}javascript:alert(1)", "HTTPS://example.com", "https://a.example/\u{600} b",
        "https://a.example/\u{7F}",
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
        ("nested quotes", "> ", "a"), ("nested items", "- ", "a"), ("fences", "```\n", ""),
        ("tables", "|a|\n|-|\n", ""), ("bars", "|", "\n|-"), ("tildes", "~~a ", ""),
        ("ticks of many lengths", "`a``b```c````", ""), ("backslashes", "\\", ""),
        ("indents", "  - a\n", ""), ("empty quotes", ">\n\n", ""),
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
