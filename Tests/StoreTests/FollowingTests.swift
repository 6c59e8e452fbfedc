import Foundation
import Releases
import Store
import TestSupport
import Testing

/// A follower sees each event once, in order, across months and restarts.
struct FollowingTests {
    private static let november = Date(timeIntervalSince1970: 1_795_000_000)

    private static func note(_ subject: String, _ date: Date, in store: OTAStore) throws {
        try store.record(
            Activity(date: date, actor: "test", event: .settingsChanged, subject: subject)
        )
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what happened behind a cursor comes once and in order`(kind: StorePlace.Kind) async throws
    {
        try await withStore(in: kind) { store, _ in
            let empty = try store.activityEnd(at: Self.november)
            try Self.note("a", Self.november, in: store)
            try Self.note("b", Self.november, in: store)
            let later = Self.november + 20 * 86_400
            try Self.note("c", later, in: store)
            let all = try store.follow(from: empty, count: 100).found
            #expect(all.map(\.activity.subject) == ["a", "b", "c"])
            let first = try #require(all.first)
            let again = try #require(ActivityCursor(first.cursor.description))
            #expect(try store.follow(from: again, count: 1).found.map(\.activity.subject) == ["b"])
            #expect(
                try store.follow(from: again, count: 9).found.map(\.activity.subject) == ["b", "c"]
            )
            let end = try store.activityEnd(at: later)
            #expect(end == all.last?.cursor)
            #expect(try store.follow(from: end, count: 9).found.isEmpty)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a cursor inside a line or behind the end gives nothing of its month`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, _ in
            try Self.note("a", Self.november, in: store)
            let end = try store.activityEnd(at: Self.november)
            let month = end.description.prefix(7)
            for offset in [1, 5, 1_000_000, (Int(end.description.dropFirst(8)) ?? 9) - 1] {
                let cursor = try #require(ActivityCursor("\(month):\(offset)"))
                #expect(try store.follow(from: cursor, count: 9).found.isEmpty, "\(offset)")
            }
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a line that cannot be read stops nobody who follows`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            let start = try store.activityEnd(at: Self.november)
            try Self.note("a", Self.november, in: store)
            try place.append(
                "{\"event\":\"of a later version\"}\n".utf8,
                to: "activity/2026-11.jsonl",
            )
            try Self.note("b", Self.november, in: store)
            let followed = try store.follow(from: start, count: 9)
            #expect(followed.found.map(\.activity.subject) == ["a", "b"])
            #expect(followed.failures.count == 1)
            #expect(try store.follow(from: followed.end, count: 9).count == 0)
        }
    }

    @Test(arguments: [
        "", ":", "2026-11", "2026-11:-1", "2026-1a:0", "../../x:0", "2026-11:9999999999999",
        "2026-11:1:2",
    ])
    func `what is no cursor is none`(_ text: String) {
        #expect(ActivityCursor(text) == nil)
    }

    private func withStore(
        in kind: StorePlace.Kind,
        _ body: (OTAStore, StorePlace) throws -> Void,
    ) async throws {
        try await withPlace(kind) { place in
            try body(place.openOrCreate(now: Self.november), place)
        }
    }
}
