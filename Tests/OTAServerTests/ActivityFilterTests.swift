import APIDocuments
import Administration
import Foundation
import OTAServer
import Releases
import Store
import TestSupport
import Testing

/// The activity filtered by person, kind and day: the API, the page and the command agree.
@Suite(.timeLimit(.minutes(10)))
struct ActivityFilterTests {
    /// Adds entries of twelve days, on each of which Ana and the bot do something.
    private static func fill(_ site: TestSite) throws {
        let start = try #require(ActivityDay("2026-02-22")).start
        for day in 0..<12 {
            for (actor, event) in [("ana", Activity.Event.deviceApproved), ("ci", .tokenCreated)] {
                try site.store.record(
                    Activity(
                        date: start.addingTimeInterval(Double(day) * 86_400 + 86_399),
                        actor: actor,
                        event: event,
                        subject: "\(actor) \(day)",
                    )
                )
            }
        }
    }

    private static func subjects(_ site: TestSite, _ query: String) async throws -> [String] {
        let api = try APIClient.holding("admin", on: site)
        let answer = try await api.get("/activity?" + query)
        #expect(answer.status == 200, "\(query)")
        return try answer.document(ActivityDocument.self).activity.map(\.subject)
    }

    @Test func `person, kind and days leave out everything else`() async throws {
        try await TestSite.run { site in
            try Self.fill(site)
            let days = "from=2026-02-27&to=2026-03-01"
            #expect(
                try await Self.subjects(site, "actor=ana&" + days) == ["ana 7", "ana 6", "ana 5"]
            )
            #expect(try await Self.subjects(site, "kind=tokenCreated&" + days).count == 3)
            #expect(try await Self.subjects(site, "actor=ana&kind=tokenCreated&" + days) == [])
            #expect(try await Self.subjects(site, "actor=an&" + days) == [], "whole names count")
            #expect(try await Self.subjects(site, "actor=ANA&" + days) == [])
            #expect(try await Self.subjects(site, days).count == 6)
            #expect(try await Self.subjects(site, "actor=ci&to=2026-02-22") == ["ci 0"])
            let api = try APIClient.holding("admin", on: site)
            let bad = [
                "kind=nothing", "from=2026-02-30", "to=yesterday", "actor=", "before=x",
                "after=2000-01:0&actor=ana",
            ]
            for query in bad {
                let answer = try await api.get("/activity?" + query)
                #expect(
                    answer.status == 400 && answer.refusal == "request.bad-parameter",
                    "\(query)",
                )
            }
        }
    }

    @Test func `what does not fit into one answer is asked for behind it`() async throws {
        try await TestSite.run { site in
            try Self.fill(site)
            let api = try APIClient.holding("admin", on: site)
            var found: [String] = []
            var before = ""
            for _ in 0..<10 {
                let answer = try await api.get("/activity?limit=5&actor=ana&to=2026-03-31" + before)
                let document = try answer.document(ActivityDocument.self)
                found += document.activity.map(\.subject)
                guard let older = document.older else { break }
                before = "&before=\(older)"
            }
            #expect(found == (0..<12).reversed().map { "ana \($0)" })
        }
    }

    @Test func `the page shows the same, and keeps the filter while it is turned`() async throws {
        try await TestSite.run { site in
            try Self.fill(site)
            let admin = try await AdminClient.admin(site)
            let page = try await admin.get(
                "/admin/activity?app=&actor=ana&kind=&from=2026-02-27&to=2026-03-01"
            ).text
            #expect(page.components(separatedBy: "approved ana ").count == 4)
            #expect(!page.contains("created the token ci "))
            #expect(page.contains("value=\"2026-02-27\"") && page.contains("value=\"ana\""))
            let file = "/admin/export/activity.csv?"
            let days = "from=2026-02-27&amp;to=2026-03-01"
            #expect(page.contains("href=\"\(file)actor=ana&amp;\(days)\""))
            let nothing = try await admin.get("/admin/activity?actor=zoe").text
            #expect(nothing.contains("<h2>No activity matches this filter</h2>"))
            for query in ["kind=x", "from=x", "to=2026-13-01"] {
                #expect(try await admin.get("/admin/activity?" + query).status == 404, "\(query)")
                #expect(try await admin.get(file + query).status == 404, "\(query)")
            }
            for day in 0..<120 {
                try site.store.record(
                    Activity(
                        date: Date(timeIntervalSince1970: 1_780_000_000 + Double(day)),
                        actor: "a & b",
                        event: .published,
                        subject: "1.0-1",
                    )
                )
            }
            let turned = try await admin.get("/admin/activity?actor=a+%26+b").text
            #expect(turned.contains("actor=a%20%26%20b&amp;page=2"))
        }
    }

    // Options: activity: actor kind from to app
    @Test func `the command shows the same`() async throws {
        try await TestSite.run { site in
            try Self.fill(site)
            let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
            let words = [
                "activity", "--actor", "ana", "--kind", "deviceApproved", "--from", "2026-02-27",
                "--to", "2026-02-28", "--json", "--store",
                site.folder.appending(path: "store").path(),
            ]
            let shown = try await program.run(words, in: site.folder)
            #expect(shown.status == 0, "\(shown.errors)")
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let document = try decoder.decode(ActivityDocument.self, from: Data(shown.output.utf8))
            #expect(document.activity.map(\.subject) == ["ana 6", "ana 5"])
            let wrong = try await program.run(
                words.map { $0 == "deviceApproved" ? "approval" : $0 },
                in: site.folder,
            )
            #expect(wrong.status == 64 && wrong.errors.contains("a kind: one of accountAgreed"))
            let both = try await program.run(
                words.map { $0 == "--json" ? "--csv" : $0 },
                in: site.folder,
            )
            let lines = both.output.components(separatedBy: "\r\n").dropLast()
            #expect(lines.first == "date,actor,kind,app,subject,detail")
            #expect(lines.dropFirst().map { $0.split(separator: ",").last } == ["ana 5", "ana 6"])
            for more in [["--limit", "5"], ["--days", "7"]] {
                let wrong = try await program.run(
                    words.map { $0 == "--json" ? "--csv" : $0 } + more,
                    in: site.folder,
                )
                #expect(wrong.status == 64, "\(more)")
            }
            let none = try await program.run(
                ["activity", "--actor", "zoe", "--store", words[11]],
                in: site.folder,
            )
            #expect(none.output == "No activity matches this filter.\n")
            func subjects(_ app: String) async throws -> [String] {
                let list = [
                    "activity", "--app", app, "--limit", "500", "--json", "--store", words[11],
                ]
                let found = try await program.run(list, in: site.folder)
                return try decoder.decode(ActivityDocument.self, from: Data(found.output.utf8))
                    .activity.map { $0.app ?? "none" }
            }
            let concerned = try await subjects("demo-co")
            #expect(Set(concerned) == ["\(site.release.bundleIdentifier)"])
            let stray = try await program.run(
                ["activity", "--app", "nothing", "--store", words[11]],
                in: site.folder,
            )
            #expect(stray.status == 1 && stray.errors.contains("there is no app"))
        }
    }
}
