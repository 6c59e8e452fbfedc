import Bundles
import Foundation
import NIOCore
import OTAServer
import PropertyLists
import Releases
import Store
import Testing

/// The requests of a phone show the progress of its installation.
@Suite(.timeLimit(.minutes(10)))
struct InstallTrackingTests {
    /// A device that has opened the page of a build that lists it.
    private struct Phone {
        let tester: TestTester
        let manifest: String
        let archive: String

        init(_ site: TestSite) async throws {
            tester = try TestTester(TestTester.ana, of: site)
            try tester.join(site)
            site.settle()
            manifest = try await tester.get(site, "/apps/demo-co").manifestPath(on: site)
            // The manifest is not fetched for this, since that would start an installation.
            archive =
                manifest.replacing("manifest.plist", with: "") + "demo-co-1-2-0-34.ipa"
        }
    }

    private static func attempts(
        _ site: TestSite,
        _ count: Int,
        for time: Duration = .seconds(5),
    ) async throws -> [InstallAttempt] {
        let app = site.release.bundleIdentifier
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {
            let found = try site.store.installAttempts(of: app, since: .distantPast)
            if found.count >= count { return found }
            try await Task.sleep(for: .milliseconds(50))
        }
        return try site.store.installAttempts(of: app, since: .distantPast)
    }

    @Test func `a manifest and then nothing`() async throws {
        try await TestSite.run { site in
            let phone = try await Phone(site)
            // The second response comes from memory, and counts as well.
            for _ in 0..<2 {
                #expect(try await WireClient.get(site, phone.manifest).status == 200)
            }
            site.clock.advance(by: 60)
            try await Task.sleep(for: .milliseconds(900))
            #expect(try await Self.attempts(site, 0).isEmpty, "iOS may be asking the tester")
            site.clock.advance(by: 70)
            let attempt = try #require(try await Self.attempts(site, 1).first)
            #expect(attempt.outcome == .manifestOnly)
            #expect(attempt.device == phone.tester.reference)
            #expect(attempt.release == site.release.identifier)
            #expect(attempt.sent == 0)
            try await Task.sleep(for: .milliseconds(300))
            let page = try await phone.tester.get(site, "/apps/demo-co")
            #expect(page.text.contains("The last attempt ended before the download"))
        }
    }

    @Test func `the whole IPA, and the page says what that means`() async throws {
        try await TestSite.run { site in
            let phone = try await Phone(site)
            _ = try await WireClient.get(site, phone.manifest)
            let archive = try await WireClient.get(site, phone.archive)
            #expect(archive.body == site.archive)
            let attempt = try #require(try await Self.attempts(site, 1).first)
            #expect(attempt.outcome == .downloaded)
            #expect(attempt.sent == site.archive.count)
            try await Task.sleep(for: .milliseconds(300))
            let page = try await phone.tester.get(site, "/apps/demo-co")
            #expect(page.text.contains("This device has downloaded the whole app"))
            #expect(page.text.contains(">Install again<"))
            let stranger = try await WireClient.get(site, "/apps/demo-co")
            #expect(!stranger.text.contains("has downloaded"))
        }
    }

    @Test func `a download cut short and resumed is whole; without the rest it is not`()
        async throws
    {
        try await TestSite.run(archiveSize: 40_000_000) { site in
            let phone = try await Phone(site)
            _ = try await WireClient.get(site, phone.manifest)
            for range in ["bytes=0-999999", "bytes=1000000-"] {
                let part = try await WireClient.get(site, phone.archive, fields: ["Range": range])
                #expect(part.status == 206)
                site.clock.advance(by: 30)
                try await Task.sleep(for: .milliseconds(900))
            }
            let whole = try #require(try await Self.attempts(site, 1).first)
            #expect(whole.outcome == .downloaded)
            #expect(whole.sent == site.archive.count)
            try await Self.hangUp(on: phone.archive, site)
            // The end of a connection whose client reads nothing is noticed a few seconds late.
            for _ in 0..<8 where try await Self.attempts(site, 2, for: .seconds(1)).count < 2 {
                site.clock.advance(by: 130)
            }
            let cut = try #require(try await Self.attempts(site, 2).last)
            #expect(cut.outcome == .cutShort)
            #expect(cut.sent > 0 && cut.sent < site.archive.count)
            try await Task.sleep(for: .milliseconds(300))
            let page = try await phone.tester.get(site, "/apps/demo-co")
            #expect(page.text.contains("The last download was interrupted"))
            #expect(page.text.contains("of 40 MB had arrived"))
        }
    }

    @Test func `a stranger's phone is followed without a name, and looking counts for nothing`()
        async throws
    {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            _ = try await WireClient.get(site, path.archive, method: "HEAD")
            _ = try await WireClient.get(site, path.archive, fields: ["Range": "bytes=999999999-"])
            site.clock.advance(by: 130)
            let attempt = try #require(try await Self.attempts(site, 1).first)
            #expect(attempt.device == nil)
            #expect(attempt.outcome == .manifestOnly)
            let journal = site.folder.appending(path: "store/installs")
            let names = try FileManager.default.contentsOfDirectory(atPath: journal.path())
            let text = try String(
                contentsOf: journal.appending(path: try #require(names.first)),
                encoding: .utf8,
            )
            #expect(!text.contains("127.0.0.1"), "no address is kept")
        }
    }

    @Test func `the page hears of its own device's install, and of no other's`() async throws {
        try await TestSite.run(archiveSize: 40_000_000) { site in
            let phone = try await Phone(site)
            let ben = try TestTester(TestTester.ben, of: site)
            try ben.join(site, named: "Ben's iPhone")
            try await Task.sleep(for: .milliseconds(700))
            try await Self.listen(site, ben.cookie) { his in
                try await Self.listen(site, phone.tester.cookie) { hers in
                    _ = try await WireClient.get(site, phone.archive)
                    let seen = await Self.wait(for: "event: changed", hers)
                    #expect(seen.contains("event: changed"))
                    _ = try await Self.attempts(site, 1)
                    try site.store.record(
                        Activity(
                            date: site.clock.now,
                            actor: "ci",
                            event: .published,
                            app: "com.example.demo",
                            subject: "1.3",
                        )
                    )
                }
                let seen = await Self.wait(for: "event: changed", his)
                #expect(seen.components(separatedBy: "event: changed").count == 2)
                #expect(seen.components(separatedBy: "id: ").count == 2, "the release alone")
                #expect(!seen.contains("progress"))
            }
        }
    }

    @Test func `a page that waits hears that its device was approved`() async throws {
        try await TestSite.run { site in
            try site.store.changeApp(site.release.bundleIdentifier) { $0.access = .enrolled }
            let ana = try TestTester(TestTester.ana, of: site)
            let ben = try TestTester(TestTester.ben, of: site)
            try ana.join(site, approved: false)
            try ben.join(site, named: "Ben's iPhone", approved: false)
            try await Task.sleep(for: .milliseconds(700))
            try await Self.listen(site, ana.cookie) { client in
                try ben.approve(site)
                try await Task.sleep(for: .milliseconds(700))
                try TestSite.publish(Array("x".utf8), into: site.store, version: "3", build: "3")
                try await Task.sleep(for: .milliseconds(700))
                try ana.approve(site)
                let seen = await Self.wait(for: "event: changed", client)
                #expect(
                    seen.components(separatedBy: "event: changed").count == 2,
                    "neither Ben's approval nor a build of an app that is closed to her yet",
                )
            }
        }
    }

    // MARK: Parts

    /// Requests the IPA, reads no more of it than the buffers in between hold, and disconnects.
    private static func hangUp(on archive: String, _ site: TestSite) async throws {
        try await WireClient.secure(site) { client in
            _ = try await client.request("GET", "/healthz")
            try await client.stall()
            try await client.send("GET \(archive) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await Task.sleep(for: .milliseconds(700))
        }
    }

    private static func listen(
        _ site: TestSite,
        _ cookie: String,
        _ body: (WireClient) async throws -> Void,
    ) async throws {
        try await WireClient.secure(site) { client in
            try await client.send(
                "GET /events?app=demo-co HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n"
            )
            let response = try await client.responseHead()
            #expect(response.status == 200)
            _ = await wait(for: ": listening", client)
            // Wait until the feed follows the journal.
            try await Task.sleep(for: .milliseconds(500))
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
}
