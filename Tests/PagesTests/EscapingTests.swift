import Bundles
import Foundation
import Inspection
import Pages
import Releases
import TestSupport
import Testing

/// Texts by strangers never change the structure of a page.
struct EscapingTests {
    static let hostile = [
        "<script>alert(1)</script>", "</title><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)", "' onmouseover='alert(1)", "x\"><svg onload=alert(1)>",
        "\"\u{301} onmouseover=alert(1) \u{301}\"", "\"\u{200D} autofocus onfocus=alert(1) x=\"",
        "'\u{FE0F} onclick=alert(1)", "<\u{301}b>", ">\u{20E3}<b\u{20E3}>", "&\u{301}lt;b&gt;",
        "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "{{chrome}}{{{notes}}}",
        "{{/body}}{{$title}}", "{{% CONTENT_TYPE:TEXT}}<b>", "&lt;b&gt;", "&#60;script&#62;",
        "<!--", "-->", "]]>", "<![CDATA[", "</script>", "</style><b>", "abc\u{202E}gpj.<b>exe",
        "🦊<b>👩‍👩‍👧",
        "a\0<b>", "a\r\nSet-Cookie: x=<b>", "\u{FF1C}script\u{FF1E}", "`onclick=alert(1)`",
        "\\\"><b>",
    ]

    private func pages(_ word: @escaping (String) -> String) throws -> [HTMLStructure] {
        var good = ExamplePages(word: word)
        good.trust = .privateAuthority(name: word("Private"))
        good.days = 12
        // Versions with equal texts count as the same version.
        good.marksOwn = false
        good.visitor = .inAppBrowser(app: word("Slack"))
        var bad = good
        bad.findings = [ExamplePages.blocking(word("It is not signed."), word("Sign it."))]
        bad.withdrawal = Release.Withdrawal(
            date: ExamplePages.now,
            actor: word("ada"),
            reason: word("It crashes."),
        )
        return [
            try good.html(good.install()), try bad.html(bad.install()),
            try good.html(good.start()), try good.html(good.history()),
            try good.html(good.trustPage()), try good.html(good.message()),
        ].map(HTMLStructure.init)
    }

    @Test(arguments: hostile)
    func `a page has the same tags and attributes whatever the words are`(text: String) throws {
        let plain = try pages { $0 }
        let pages = try pages { _ in text }
        for (plain, page) in zip(plain, pages) {
            #expect(plain.tags.map(\.name) == page.tags.map(\.name))
            for (left, right) in zip(plain.tags, page.tags) {
                #expect(left.attributes.map(\.name) == right.attributes.map(\.name))
                let words = ["data-asked", "data-news"]
                #expect(
                    left.attributes.filter { !words.contains($0.name) }
                        == right.attributes.filter { !words.contains($0.name) }
                )
            }
        }
    }

    @Test func `the comparison sees an attribute that ends early`() {
        let broken = HTMLStructure("<a data-app=\"x\"\u{301} onclick=alert(1)>")
        #expect(broken.tags.first?.attributes.map(\.name) == ["data-app", "\u{301}", "onclick"])
        #expect(HTMLStructure("a < b <3 <é>").tags.isEmpty)
    }

    @Test func `the words are shown as they were written`() throws {
        let html = try ExamplePages().html(ExamplePages(word: { _ in "<b> & \"c\" 'd'" }).message())
        #expect(html.contains("<h1>&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;</h1>"))
    }

    @Test(arguments: hostile)
    func `notes hold no tag but their own`(text: String) {
        let contexts = [
            text, "# \(text)", "- \(text)", "1. \(text)", "`\(text)`", "**\(text)**",
            "[\(text)](https://example.com)", "[label](https://example.com/\(text))",
            "[label](\(text))", "[\(text)](\(text))", "a\n\(text)\nb", "```\(text)\n\(text)\n```",
            "> \(text)", "| \(text) | b |\n|---|:-:|\n| \(text) | \(text) |", "~~\(text)~~",
            "- a\n  - \(text)", "7. \(text)",
        ]
        for context in contexts {
            let structure = HTMLStructure(ReleaseNotes.html(context))
            for tag in structure.tags {
                let name = tag.name.hasPrefix("/") ? String(tag.name.dropFirst()) : tag.name
                #expect(ReleaseNotesTests.tags.contains(name), "\(tag) in \(context)")
                let known: [String: [String]] = [
                    "a": ["href", "rel"], "pre": ["tabindex", "dir"], "div": ["class", "tabindex"],
                    "ol": ["start"], "th": ["class"], "td": ["class"],
                ]
                let own = known[tag.name] ?? []
                #expect(own.starts(with: tag.attributes.map(\.name)), "\(tag)")
                for attribute in tag.attributes where attribute.name == "href" {
                    #expect(attribute.value.hasPrefix("https://"), "\(attribute)")
                }
            }
        }
    }
}
