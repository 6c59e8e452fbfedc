import Cryptography
import Foundation
import Identifiers
@testable import ObjectStore
import Releases
import Store
import StoreFixtures
import Testing

/// What one server changes, on another one.
@Suite(.enabled(if: StorePlace.Kind.allCases.contains(.object)), .timeLimit(.minutes(10)))
struct NewsTests {
    @Test func `a server that follows changes sees those of others, and asks nothing in between`()
        async throws
    {
        try await withServers { server, other, line, following in
            #expect(try server.apps() == [])
            _ = try StoredRelease().publish(into: other)
            let app = try await soon { try server.apps().first }
            #expect(app.channels[.stable] != nil)
            // Whatever is still to come of the change has come.
            try await Task.sleep(for: Self.timing.settling + .milliseconds(300))
            func look() throws {
                #expect(try server.apps().count == 1)
                _ = try server.settings()
                _ = try server.journals()
                _ = try server.upkeepStamps()
            }
            try look()
            let sent = line.sent
            let begun = ContinuousClock.now
            for _ in 0..<200 {
                try look()
                try await Task.sleep(for: .milliseconds(5))
            }
            // One look for news per interval, and nothing else.
            let looks = Int((ContinuousClock.now - begun) / Self.timing.interval) + 2
            #expect(line.sent - sent <= looks)
            withExtendedLifetime(following) {}
        }
    }

    @Test func `a process that ends between its announcement and its change hides neither`()
        async throws
    {
        try await withServers { server, other, _, _ in
            _ = try StoredRelease().publish(into: other)
            _ = try await soon { try server.apps().first }
            // The change comes a while after it was announced, as of a writer that was stopped.
            let name = DocumentName.settings
            let backend = try #require(other.backend as? ObjectBackend)
            let base = "https://late.example.com"
            try backend.announcing(name, isListed: false) { () throws(StoreFailure) in
                usleep(600_000)
                guard let old = try backend.read(name) else { return ((), .unknown) }
                let text = String(decoding: old.bytes, as: UTF8.self)
                let new = text.replacingOccurrences(
                    of: "\"created\"",
                    with: "\"baseURL\" : \"\(base)\",\n  \"created\"",
                )
                try backend.change(name, if: .version(old.version)) { _ throws(StoreFailure) in
                    DocumentObject.Draft(bytes: Array(new.utf8), entry: nil, isDeleted: false)
                }
                return ((), .unknown)
            }
            _ = try await soon { try server.settings().baseURL?.description == base ? true : nil }
        }
    }

    @Test func `announcements of many writers are all on the page, in one order`() async throws {
        try await withServers { server, _, _, _ in
            let backend = try #require(server.backend as? ObjectBackend)
            await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        let own = try ObjectPlace.backend(like: backend, through: nil)
                        for number in 0..<6 {
                            let name = try DocumentName("jobs", "\(writer)-\(number).json")
                            _ = try own.write([0x7B, 0x7D], to: name, if: .absent)
                        }
                    }
                }
            }
            let page = try await soon { () -> NewsPage? in
                let page = try backend.readNews()?.page ?? NewsPage()
                return page.entries.flatMap(\.changed).count >= 24 ? page : nil
            }
            let jobs = page.entries.flatMap(\.changed).filter { $0.hasPrefix("jobs/") }
            #expect(Set(jobs).count == 24)
            #expect(page.entries.map(\.number) == page.entries.map(\.number).sorted())
            _ = try await soon { try backend.knownNames(in: .jobs).count == 24 ? true : nil }
        }
    }

    @Test func `a page keeps the latest names, and says that others were dropped`() throws {
        var page = NewsPage()
        for number in 1...400 { page.add(changed: ["a/\(number)"], listed: []) }
        #expect(page.last == 400)
        #expect(page.entries.count == 256)
        #expect(page.dropped == 144)
        #expect(try NewsPage(page.bytes(), at: "@news") == page)
        #expect(throws: StoreFailure.self) {
            try NewsPage(Array(#"{"schema":1,"dropped":7,"entries":[]"#.utf8), at: "@news")
        }
        let unordered =
            #"{"schema":1,"dropped":7,"entries":[{"number":3,"changed":[],"listed":[]}]}"#
        #expect(throws: StoreFailure.self) { try NewsPage(Array(unordered.utf8), at: "@news") }
    }

    @Test func `who missed announcements forgets everything`() {
        let news = NewsInMemory(Self.timing)
        news.follow()
        news.note(NewsPage())
        news.hear(from: .now, isThere: true)
        let stamp = ChangeStamp(values: [1], isSettled: true)
        news.keep(stamp, of: "apps/a/app.json", since: news.moment())
        #expect(news.stamp(of: "apps/a/app.json") == .some(stamp))
        let top = news.stamp(ofTop: "apps")
        var page = NewsPage()
        for number in 1...400 { page.add(changed: ["b/\(number)"], listed: []) }
        news.note(page)
        #expect(news.stamp(of: "apps/a/app.json") == nil)
        #expect(news.stamp(ofTop: "apps") != top)
    }

    @Test func `while the store is silent what is known stays`() {
        let news = NewsInMemory(Self.timing)
        news.follow()
        let stamp = ChangeStamp(values: [1], isSettled: true)
        news.hear(from: .now - NewsInMemory.silence * 2, isThere: true)
        news.keep(stamp, of: "devices.json", since: news.moment())
        var page = NewsPage()
        page.add(changed: ["devices.json"], listed: [])
        news.note(page)
        #expect(news.stamp(of: "devices.json") == .some(stamp))
    }

    private static let timing = NewsTiming(
        interval: .milliseconds(300),
        settling: .milliseconds(1_200),
    )

    private func withServers(
        _ body: (OTAStore, OTAStore, FaultyLine, any ChangeFollowing) async throws -> Void
    ) async throws {
        try await withPlace(.object) { place in
            _ = try place.openOrCreate()
            let first = try #require(try place.backend() as? ObjectBackend)
            let line = FaultyLine(try ObjectPlace.connection.get())
            let backend = try ObjectPlace.backend(like: first, through: line, news: Self.timing)
            let following = try #require(backend.followChanges())
            let server = try OTAStore.open(on: backend)
            try await body(
                server,
                try OTAStore.open(on: ObjectPlace.backend(like: first, through: nil)),
                line,
                following,
            )
            withExtendedLifetime(following) {}
        }
    }
}
