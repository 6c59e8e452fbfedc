import APIDocuments
import Administration
import Foundation
import Pages
import Releases
import TestSupport
import Testing

/// What a release's page shows about the builds before it, and about downloads.
struct ReleaseHistoryTests {
    /// The rows of the comparison, each as its texts.
    private func rows(isNamed: Bool) throws -> [String] {
        let pages = ExamplePages()
        var older = ExamplePages()
        older.size = 21_600_000
        let comparison = try pages.comparison(
            of: pages.release(),
            with: older.release(),
            isNamed: isNamed,
        )
        let html = try pages.html(
            pages.adminRelease(
                with: ReleaseHistory(
                    comparison: comparison,
                    choices: [],
                    chosen: nil,
                    trend: nil,
                    funnel: nil,
                    at: "x",
                )
            )
        )
        let start = try #require(html.range(of: "<table class=\"stacks changes\">")).upperBound
        let end = try #require(html.range(of: "</table>", range: start..<html.endIndex)).lowerBound
        return html[start..<end].split(separator: "\n").filter {
            $0.hasPrefix("<tr><th scope=\"row\"")
        }
        .map { row in
            row.replacing(/<[^>]*>/, with: " ").split(separator: " ").joined(separator: " ")
        }
    }

    @Test func `what has changed is said with its size, and names only to who may see them`()
        throws
    {
        #expect(
            try rows(isNamed: true) == [
                "Archive 21.6 MB 24.8 MB +3.2 MB", "Code of the app 8 MB 9 MB +1 MB",
                "Code of PlugIns/Share.appex 500 KB – removed",
                "Entitlement aps-environment – production added",
                "Entitlement get-task-allow true – removed", "Devices 11 devices 12 devices",
                "Devices added – Ana’s iPhone",
            ]
        )
        #expect(try rows(isNamed: false).last == "Devices added – 1")
    }

    @Test func `two builds that are alike say so`() throws {
        let pages = ExamplePages()
        let side = ComparisonDocument.Side(try pages.release(), try pages.report())
        let document = ComparisonDocument(of: side, with: side, names: nil)
        let comparison = pages.comparison(document, with: try pages.release())
        let html = try pages.html(
            pages.adminRelease(
                with: ReleaseHistory(
                    comparison: comparison,
                    choices: [],
                    chosen: nil,
                    trend: nil,
                    funnel: nil,
                    at: "x",
                )
            )
        )
        #expect(html.contains("No change in size, code"))
    }

    @Test func `one build has no trend, and no attempts have no funnel`() throws {
        let release = try ExamplePages().release()
        #expect(SizeTrend([(release, "x")], current: release.identifier) == nil)
        #expect(InstallFunnel([]) == nil)
    }
}
