import Foundation
import Inspection
import Testing

/// `docs/findings.md` is generated from the rules, so that the two cannot differ.
@Suite struct FindingsPageTests {
    @Test func `the page of findings is what the rules say`() throws {
        let page = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/findings.md")
        let text = Self.text()
        if ProcessInfo.processInfo.environment["OTA_RECORD"] == "1" {
            try Data(text.utf8).write(to: page)
        }
        let written = try String(contentsOf: page, encoding: .utf8)
        #expect(
            written == text,
            "make it anew: OTA_RECORD=1 swift test --filter FindingsPageTests",
        )
    }

    @Test func `no two rules share an identifier`() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
    }

    private static func text() -> String {
        let families = Dictionary(grouping: Rule.all) { rule in
            rule.id.prefix { $0 != "." }
        }
        let order = Rule.all.map { $0.id.prefix { $0 != "." } }
        var seen: Set<Substring> = []
        var text = """
            # Findings

            Everything that `ota` checks in a build. `blocks` means that the build does not install,
            `warns` that you should check something, `notes` that it is good to know. The code is
            Apple's error code, where it is known. This page is generated from
            `Sources/Inspection/Rules`.

            """
        for family in order where seen.insert(family).inserted {
            text += "\n## \(family)\n\n| finding | means | code | what to do |\n|---|---|---|---|\n"
            for rule in families[family] ?? [] {
                let code = rule.appleCode.map { "`\($0)`" } ?? ""
                text +=
                    "| `\(rule.id)` | **\(rule.severity.rawValue)** \(cell(rule.title)) | \(code) "
                text += "| \(cell(rule.fix)) |\n"
            }
        }
        return text
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
}
