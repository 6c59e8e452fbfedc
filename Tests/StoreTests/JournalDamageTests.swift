import Foundation
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// Unreadable lines in journals are skipped, counted, reported, and set aside.
struct JournalDamageTests {
    private static let journal = "activity/2027-01.jsonl"

    @Test(arguments: StorePlace.Kind.allCases, ["garbage", "nul", "binary", "long"])
    func `a bad line is passed over, named, and can be set aside`(
        kind: StorePlace.Kind,
        damage: String,
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate()
            _ = try StoredRelease().publish(into: store)
            let middle = try store.activityEnd(at: .now)
            let bad: [UInt8] =
                switch damage {
                case "garbage": Array("{]".utf8)
                case "nul": [0, 0, 0]
                case "binary": [0xFF, 0xFE, 0x80, 0x01]
                default: [UInt8](repeating: UInt8(ascii: "x"), count: 6 << 20)
                }
            try place.append(bad + [UInt8(ascii: "\n")], to: Self.journal)
            var next = StoredRelease()
            next.build = "2"
            next.contents = "two"
            _ = try next.publish(into: store)
            let end = try store.activityEnd(at: .now)

            let listing = try store.activityListing(count: 50)
            #expect(listing.activities.map(\.subject) == ["1.0-2", "1.0-1"])
            // Journals are read from their ends, where line numbers are unknown.
            let behind = middle.offset + bad.count + 1
            #expect(listing.failures.map(\.place) == ["\(Self.journal) before byte \(behind)"])
            let followed = try store.follow(from: middle, count: 50)
            #expect(followed.found.map(\.activity.subject) == ["1.0-2"])
            #expect(followed.failures.count == 1 && followed.end == end)
            let problems = try store.verify().problems
            #expect(problems.map(\.place) == ["\(Self.journal) line 2"])
            #expect(problems[0].fix.contains("store restore --document \(Self.journal)"))

            #expect(try store.setAsideUnreadableLines(of: Self.journal) == 1)
            #expect(try store.verify().problems.isEmpty)
            #expect(try store.activityListing(count: 50).failures.isEmpty)
            // A follower does not lose its position.
            #expect(try store.activityEnd(at: .now) == end)
            #expect(try store.follow(from: middle, count: 50).found.count == 1)
            let aside = place.bytes(at: Self.journal + ".unreadable")
            #expect(aside == Array(bad.prefix(64 << 10)) + [UInt8(ascii: "\n")])
            #expect(try store.setAsideUnreadableLines(of: Self.journal) == 0)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `attempts behind a bad line are known`(kind: StorePlace.Kind) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate()
            let attempt = try attempt()
            try store.record(attempt)
            let damage = [UInt8](repeating: 0, count: 5_000) + [10]
            try place.append(damage, to: "installs/2027-01.jsonl")
            try store.record(attempt)
            #expect(try store.installAttempts(of: nil, since: attempt.began).count == 2)
            #expect(try store.setAsideUnreadableLines(of: "installs/2027-01.jsonl") == 1)
            #expect(try store.installAttempts(of: nil, since: attempt.began).count == 2)
            #expect(try store.verify().problems.isEmpty)
        }
    }

    private func attempt() throws -> InstallAttempt {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        return InstallAttempt(
            app: try StoredRelease().identifier,
            release: ReleaseIdentifier(version: "1.0", build: "1"),
            device: nil,
            began: date,
            ended: date,
            outcome: .downloaded,
            sent: 1,
        )
    }
}
