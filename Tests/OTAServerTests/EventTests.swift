import Access
import Cryptography
import Foundation
import NIOCore
import OTAServer
import Releases
import Store
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EventTests {
    private static func listen(
        _ site: TestSite,
        _ path: String,
        _ fields: [String: String] = [:],
        _ body: (WireClient) async throws -> Void,
    ) async throws {
        try await WireClient.secure(site) { client in
            var head = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n"
            for (name, value) in fields { head += "\(name): \(value)\r\n" }
            try await client.send(head + "\r\n")
            let response = try await client.responseHead()
            #expect(response.status == 200)
            #expect(response.fields["content-type"] == "text/event-stream; charset=utf-8")
            #expect(response.fields["cache-control"] == "no-store")
            try await body(client)
        }
    }

    private static func wait(for text: String, _ client: WireClient) async -> String {
        while true {
            let seen = String(decoding: client.buffer.readableBytesView, as: UTF8.self)
            if seen.contains(text) { return seen }
            guard await client.more() else { return seen }
        }
    }

    private static func token(in store: OTAStore, _ scope: Scope = Scope(.admin)) throws -> String {
        var text = ""
        try store.changeTokens { register in
            text = try register.create(
                name: "t\(register.tokens.count)",
                scopes: [scope],
                expires: nil,
                at: Date(),
                random: randomBytes,
            ).secret.text
        }
        return text
    }

    @Test func `a tester's page hears that its app changed, and nothing else`() async throws {
        try await TestSite.run { site in
            try await Self.listen(site, "/events?app=demo-co") { client in
                _ = await Self.wait(for: ": listening", client)
                try await Task.sleep(for: .milliseconds(700))
                try site.store.record(
                    Activity(
                        date: Date(),
                        actor: "somebody",
                        event: .deviceAdded,
                        subject: "Ana's iPhone",
                    )
                )
                try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
                let seen = await Self.wait(for: "event: changed", client)
                #expect(seen.contains("event: changed\ndata: {}\n"))
                #expect(!seen.contains("Ana") && !seen.contains("somebody"))
            }
        }
    }

    @Test func `an admin hears everything, and what was missed`() async throws {
        try await TestSite.run { site in
            let start = try site.store.activityEnd(at: Date())
            let token = try Self.token(in: site.store)
            try site.store.record(
                Activity(date: Date(), actor: "x", event: .deviceAdded, subject: "Ben's iPad")
            )
            let fields = ["Authorization": "Bearer \(token)", "Last-Event-ID": "\(start)"]
            try await Self.listen(site, "/events", fields) { client in
                let seen = await Self.wait(for: "Ben's iPad", client)
                #expect(seen.contains("event: activity\n"))
                try site.store.record(
                    Activity(date: Date(), actor: "x", event: .deviceAdded, subject: "Cy's iPad")
                )
                let later = await Self.wait(for: "Cy's iPad", client)
                #expect(later.components(separatedBy: "Ben's iPad").count == 2, "told once")
            }
        }
    }

    @Test func `everything that was missed is told, also beyond a damaged line`() async throws {
        try await TestSite.run { site in
            let start = try site.store.activityEnd(at: Date())
            let token = try Self.token(in: site.store)
            let note = { (name: String) throws in
                try site.store.record(
                    Activity(date: Date(), actor: "x", event: .deviceAdded, subject: name)
                )
            }
            for number in 0..<450 { try note("device \(number).") }
            let month = start.description.prefix(7)
            let journal = site.folder.appending(path: "store/activity/\(month).jsonl")
            let handle = try FileHandle(forWritingTo: journal)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("{\"event\":\"of a later version\"}\n".utf8))
            try handle.close()
            try note("the last one")
            let fields = ["Authorization": "Bearer \(token)", "Last-Event-ID": "\(start)"]
            try await Self.listen(site, "/events", fields) { client in
                let seen = await Self.wait(for: "the last one", client)
                for number in [0, 199, 200, 201, 449] {
                    #expect(seen.contains("device \(number)."), "\(number)")
                }
                try note("a new one")
                _ = await Self.wait(for: "a new one", client)
            }
        }
    }

    @Test func `a page that slept through many approvals is not deaf for long`() async throws {
        try await TestSite.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            let start = try site.store.activityEnd(at: Date())
            // A third of a second for each would exceed the test's time limit.
            for number in 0..<500 {
                try site.store.record(
                    Activity(
                        date: Date(),
                        actor: "x",
                        event: .deviceApproved,
                        subject: "device \(number)",
                    )
                )
            }
            let path = "/events?app=demo-co&after=\(start)"
            try await Self.listen(site, path, ["Cookie": ana.cookie]) { client in
                _ = await Self.wait(for: "event: changed", client)
                try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
                let end = try site.store.activityEnd(at: Date())
                let seen = await Self.wait(for: "id: \(end)", client)
                #expect(seen.contains("id: \(end)"))
            }
        }
    }

    /// A client can claim that it was disconnected since the very first event.
    @Test(arguments: [false, true])
    func `a page that was away is told once that something changed`(isOld: Bool) async throws {
        try await TestSite.run { site in
            let folder = site.folder.appending(path: "store/activity")
            let date = Date(timeIntervalSinceNow: isOld ? -40 * 86_400 : -60)
            let month = date.formatted(.iso8601).prefix(7)
            let line = Activity(
                date: date,
                actor: "x",
                event: .published,
                app: isOld ? "com.example.demo" : "com.example.other",
                subject: "1.0",
            )
            for _ in 0..<2 { try site.store.record(line) }
            let journal = folder.appending(path: "\(month).jsonl")
            let text = try String(contentsOf: journal, encoding: .utf8)
            let one = try #require(text.split(separator: "\n").last)
            let handle = try FileHandle(forWritingTo: journal)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(String(repeating: one + "\n", count: 20_000).utf8))
            try handle.close()
            let end = try site.store.activityEnd(at: Date())
            try await Self.listen(site, "/events?app=demo-co&after=0000-00:0") { client in
                let first = await Self.wait(for: "id: \(end)\nevent: changed", client)
                #expect(first.components(separatedBy: "event: changed").count == 2)
                try await Task.sleep(for: .milliseconds(700))
                try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
                let last = try site.store.activityEnd(at: Date())
                let seen = await Self.wait(for: "id: \(last)", client)
                #expect(seen.components(separatedBy: "event: changed").count == 3)
            }
        }
    }

    @Test func `a page that missed nothing of its own is told nothing`() async throws {
        try await TestSite.run { site in
            let start = try site.store.activityEnd(at: Date())
            for _ in 0..<50 {
                try site.store.record(
                    Activity(
                        date: Date(),
                        actor: "x",
                        event: .published,
                        app: "com.example.other",
                        subject: "1",
                    )
                )
            }
            try await Self.listen(site, "/events?app=demo-co&after=\(start)") { client in
                _ = await Self.wait(for: ": listening", client)
                try await Task.sleep(for: .milliseconds(700))
                try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
                let last = try site.store.activityEnd(at: Date())
                let seen = await Self.wait(for: "id: \(last)", client)
                #expect(seen.components(separatedBy: "event: changed").count == 2)
            }
        }
    }

    @Test func `nobody hears everything without a right`() async throws {
        try await TestSite.run { site in
            #expect(try await WireClient.get(site, "/events").status == 401)
            let reader = try Self.token(in: site.store, Scope(.read))
            let fields = ["Authorization": "Bearer \(reader)"]
            #expect(try await WireClient.get(site, "/events", fields: fields).status == 403)
            #expect(try await WireClient.get(site, "/events?app=nothing").status == 404)
            #expect(try await WireClient.get(site, "/events", method: "POST").status == 405)
        }
    }

    @Test func `guessing tokens gets slow, and no token is in the log`() async throws {
        try await TestSite.run { site in
            let token = try Self.token(in: site.store)
            let wrong = String(token.dropLast(4)) + "0000"
            var last = 0
            for _ in 0..<8 {
                let fields = ["Authorization": "Bearer \(wrong)"]
                last = try await WireClient.get(site, "/events", fields: fields).status
            }
            #expect(last == 429)
            let log = try await site.logText()
            #expect(!log.contains(token.suffix(64)) && !log.contains(wrong.suffix(64)))
        }
    }

    @Test func `a stop ends the stream at once`() async throws {
        try await TestSite.run { site in
            try await Self.listen(site, "/events?app=demo-co") { client in
                _ = await Self.wait(for: ": listening", client)
                let began = ContinuousClock.now
                site.stop.stop()
                _ = await client.rest()
                #expect(ContinuousClock.now - began < .seconds(5))
            }
        }
    }
}
