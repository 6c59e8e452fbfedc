import Foundation
import Sample
import TestSupport
import Testing

/// `ota feedback`, and how feedback is enabled.
@Suite(.timeLimit(.minutes(10)))
struct FeedbackCommandTests {
    // Options: apps set: feedback
    // Options: feedback list: csv
    @Test func `feedback is switched on, listed, exported and deleted`() async throws {
        try await Workplace.run { place in
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            let set = ["apps", "set", "browsey", "--feedback"]
            #expect(try await place.json(set + ["form"])["app"]["feedback"].string == "form")
            #expect(try await place.ota(set + ["ftp://example.com"]).status != 0)
            #expect(
                try await place.ota("feedback", "list", "browsey").output == "No feedback yet.\n"
            )
            // Feedback in the form in which the server stores it.
            let identifier = "0123456789abcdef"
            let app = try await place.json("apps", "list")["apps"].items.first
            let folder = place.path("ota-store/feedback")
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
            )
            let text = """
                {"schema": 1, "dropped": 0, "entries": [{
                  "identifier": "\(identifier)", "date": "2027-01-15T08:00:00Z",
                  "text": "It crashes\\n=on start", "release": "1.0-1",
                  "sender": {"person": "=ana@example.com", "name": "=Ana", "model": "iPhone 14 Pro", "os": "18.1"}
                }]}
                """
            let name = try #require(app?["app"].string) + ".json"
            try Data(text.utf8).write(to: URL(filePath: folder).appending(path: name))
            let listed = try await place.json("feedback", "list", "browsey")
            #expect(listed["feedback"].items.map(\.["text"].string) == ["It crashes\n=on start"])
            #expect(listed["feedback"].items.first?["device"] == .null)
            let table = try await place.ota("feedback", "list", "browsey").output
            #expect(
                table.contains("=Ana, iPhone 14 Pro, iOS 18.1") && table.contains("  =on start")
            )
            let csv = try await place.ota("feedback", "list", "browsey", "--csv").output
            #expect(csv.hasPrefix("date,release,device name,") && csv.contains(",'=Ana,"))
            #expect(csv.contains(",\(identifier),'=ana@example.com\r\n"))
            #expect(table.contains("from =ana@example.com  =Ana,"))
            #expect(listed["feedback"].items.first?["person"].string == "=ana@example.com")
            let gone = try await place.json("feedback", "delete", "browsey", identifier)
            #expect(gone["feedback"]["id"].string == identifier)
            let again = try await place.refusal("feedback", "delete", "browsey", identifier)
            #expect(again["id"].string == "feedback.unknown")
        }
    }
}
