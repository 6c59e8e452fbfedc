import Cryptography
import Foundation
import HTTPCalling
import Identifiers
@testable import ObjectStore
import Releases
import Store
import StoreFixtures
import Synchronization
import Testing

/// A server's changes, as another server sees them.
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
            // All effects of the change have arrived, and the next check for late changes is far away.
            try await Task.sleep(for: Self.timing.settling * 4 + .milliseconds(300))
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
            // One check for changes per interval, and nothing else.
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
            // The change is made a while after it was announced, like that of a writer that was suspended.
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

    @Test func `a change that is made long after its announcement is announced again`() async throws
    {
        try await withServers { server, _, line, _ in
            let backend = try #require(server.backend as? ObjectBackend)
            func announced(_ path: String) throws -> Int {
                try backend.readNews()?.page.entries.filter { $0.changed.contains(path) }.count ?? 0
            }
            func write(_ name: DocumentName) throws {
                _ = try backend.write([0x7B, 0x7D], to: name, if: .absent)
            }
            // Others have read the announcement long before its writer learns that it was stored.
            line.change {
                $0.after = { method, address throws(CallTrouble) in
                    if method == "PUT", address.hasSuffix("news") {
                        usleep(700_000)
                    }
                }
            }
            let first = try DocumentName("jobs", "first.json")
            try write(first)
            line.change { $0.after = nil }
            #expect(try announced(first.path) == 2)

            // For a while, the store refuses the second announcement.
            let second = try DocumentName("jobs", "second.json")
            let isDone = Mutex(false)
            let refusals = Mutex(0)
            line.change {
                $0.before = { method, address throws(CallTrouble) in
                    guard method == "PUT" else { return }
                    if address.hasSuffix("/second.json") {
                        usleep(700_000)
                        isDone.withLock { $0 = true }
                    } else if address.hasSuffix("news"),
                        isDone.withLock({ $0 })
                    {
                        let isRefused = refusals.withLock { refusals in
                            refusals += 1
                            return refusals <= 6
                        }
                        if isRefused { throw .unreachable(reason: "the line is bad") }
                    }
                }
            }
            try write(second)
            #expect(try announced(second.path) == 1)
            _ = try await soon { try announced(second.path) == 2 ? true : nil }
        }
    }

    @Test
    func `no line is passed over where a journal is known to be longer than what is read of it`()
        async throws
    {
        try await withPlace(.memory) { place in
            let store = try place.openOrCreate()
            let date = StoredRelease().date
            func record(_ subject: String) throws {
                let event = Activity.Event.deviceEnrolled
                try store.record(
                    Activity(date: date, actor: "a test", event: event, subject: subject)
                )
            }
            try record("one")
            let known = try store.journals()
            try record("two")
            // The first read of the lines is older than the first one of the length.
            let stale = OTAStore(backend: StaleBackend(store.backend))
            let news = try stale.news(beyond: known, count: 10)
            #expect(news.activities.map(\.subject) == ["two"])
            #expect(news.known == (try store.journals()))
        }
    }

    @Test func `a publish that is repeated while its line waits for the journal is told once`()
        async throws
    {
        try await withServers { server, other, line, _ in
            line.change {
                $0.before = { method, address throws(CallTrouble) in
                    if method == "PUT", address.contains("/activity/") {
                        throw .unreachable(reason: "the line is bad")
                    }
                }
            }
            _ = try StoredRelease().publish(into: server)
            line.change { $0.before = nil }
            _ = try StoredRelease().publish(into: other)
            server.backend.completeEntries()
            other.backend.completeEntries()
            let told = try other.activity(count: 10).filter { $0.event == .published }
            #expect(told.count == 1)
        }
    }

    @Test func `of several servers that add a line unless it is there, one adds it`() async throws {
        try await withServers { server, other, line, _ in
            let journal = try DocumentName("activity", "2026-01.jsonl")
            let text = Array(#"{"event":"published"}"#.utf8)
            try server.backend.append(Array("{}".utf8), to: journal)
            // The other server writes between the first one's read and its write.
            let turns = Mutex(0)
            line.change {
                $0.before = { method, address throws(CallTrouble) in
                    guard method == "PUT", address.contains("/activity/"),
                        turns.withLock({ turns in
                            turns += 1
                            return turns == 1
                        })
                    else { return }
                    do {
                        try other.backend.append(text, to: journal, unless: [text])
                    } catch {
                        throw .unreachable(reason: "\(error)")
                    }
                }
            }
            try server.backend.append(text, to: journal, unless: [text])
            line.change { $0.before = nil }
            #expect(try other.backend.lines(of: journal) == [Array("{}".utf8), text])
        }
    }

    private final class StaleBackend: ForwardingBackend {
        let inner: any Backend
        private let isStale = Mutex(true)

        init(_ inner: any Backend) {
            self.inner = inner
        }

        func lines(
            of journal: DocumentName,
            from offset: Int,
            count: Int,
        ) throws(StoreFailure) -> [JournalLine] {
            let isFirst = isStale.withLock { isStale in
                defer { isStale = false }
                return isStale
            }
            return isFirst ? [] : try inner.lines(of: journal, from: offset, count: count)
        }
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
