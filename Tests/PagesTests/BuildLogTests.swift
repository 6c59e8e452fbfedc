import Foundation
import Pages
import TestSupport
import Testing

/// The log of a build on its page: folded by step, in colours, with the line that says why it failed.
struct BuildLogTests {
    private static let steps: [BuildPage.Line] = [
        .init(title: "Build", tone: "good", detail: "succeeded"),
        .init(title: "Test", tone: "bad", detail: "failed"),
        .init(title: "Upload", tone: "", detail: "skipped"),
    ]

    /// Returns the parts of the log: the name of each, `+` if it is unfolded, and its log as HTML.
    private func parts(
        _ log: String,
        _ steps: [BuildPage.Line] = steps,
        issues: [BuildPage.Line] = [],
        isCut: Bool = false,
        tone: String = "bad",
    ) throws -> [String] {
        let pages = ExamplePages()
        let html = try pages.html(
            BuildPage(
                mirror: "browsey",
                mirrorURL: "/admin/mirrors/browsey",
                build: BuildLine(
                    number: "Build 13",
                    url: "/admin/mirrors/browsey/builds/13",
                    state: "failed",
                    tone: tone,
                    subject: "main",
                    version: nil,
                    asked: "now",
                    took: nil,
                    reason: nil,
                ),
                commit: "4f2a",
                issues: issues,
                steps: steps,
                artifacts: [],
                log: log,
                isLogCut: isCut,
                logURL: "/log",
                cancel: nil,
                admin: try pages.admin(.mirrors),
            )
        )
        let part =
            /<details class="part" id="(?<id>[^"]*)"(?<open> open)?>[\s\S]*?<pre[^>]*>(?<log>[\s\S]*?)<\/pre>/
        return html.matches(of: part).map { match in
            String(match.output.id) + (match.output.open == nil ? " " : "+ ")
                + match.output.log.replacing("\n", with: "|")
        }
    }

    @Test func `each step has its part, and the one that failed is open`() throws {
        let log = "fetch\n── Build\na\n── Test\nb\n── other\nc\n── artifacts\nd\n"
        #expect(
            try parts(log) == [
                "step-0 fetch|", "step-1 a|",
                "step-2+ b|── other|<mark id=\"failure\">c</mark>|", "step-after ── artifacts|d|",
            ]
        )
    }

    @Test func `the line of the first issue is marked, wherever it is`() throws {
        let issue = BuildPage.Line(title: "no such module", tone: "bad", detail: nil)
        let log = "── Build\na.swift:1: error: \u{1B}[31mno\u{1B}[0m such module\n── Test\nb\n"
        let found = try parts(log, issues: [issue])
        #expect(
            found.first == "step-1+ <mark id=\"failure\">a.swift:1: error: "
                + "<span class=\"c1\">no</span> such module</mark>|"
        )
    }

    @Test func `a log without its beginning is that of the step before the first title`() throws {
        #expect(
            try parts("x\n── Test\ny\n", isCut: true).map { $0.prefix(7) } == [
                "step-1 ", "step-2+",
            ]
        )
        #expect(try parts("x\n", isCut: true) == ["step-2+ <mark id=\"failure\">x</mark>|"])
        #expect(try parts("x\n", []) == ["step-0+ x|"])
        #expect(try parts("", []).isEmpty)
    }

    @Test(arguments: [
        ("\u{1B}[1;32mok\u{1B}[m now", "<span class=\"c2 bold\">ok</span> now"),
        ("\u{1B}[38;5;1mred\u{1B}[39m", "<span class=\"c1\">red</span>"),
        ("\u{1B}[38;2;31;1;1mtrue colour", "true colour"),
        ("10 %\r20 %\r30 %", "30 %"), ("windows\r", "windows"),
        ("\u{1B}]0;title\u{07}text", "text"), ("\u{1B}]8;;https://x\u{1B}\\link", "link"),
        ("\u{1B}[2K\u{1B}[1Aup", "up"), ("a\u{08}\u{00}b\tc", "ab\tc"), ("\u{1B}", ""),
        ("\u{1B}[31m<script>&", "<span class=\"c1\">&lt;script&gt;&amp;</span>"),
        ("\u{1B}[99999999999999999999m4", "4"),
    ])
    func `terminal text is coloured and cannot do more`(text: String, html: String) throws {
        let found = try parts("── Build\n.\n\(text)\n── Test\nb\n")
        #expect(found.first == "step-1 .|\(html)|")
    }
}
