import Bundles
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// Installation attempts are stored by month, read from the end, and never mixed between apps.
struct InstallAttemptTests {
    private static let november = Date(timeIntervalSince1970: 1_795_000_000)

    @Test(arguments: StorePlace.Kind.allCases)
    func `attempts come back by app and from a date on, the oldest first`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, _ in
            let forks = try #require(BundleIdentifier("com.example.forks"))
            let pare = try #require(BundleIdentifier("com.example.pare"))
            let december = Self.november + 20 * 86_400
            let first = Self.attempt(forks, at: Self.november, .manifestOnly)
            let other = Self.attempt(pare, at: Self.november + 60, .downloaded)
            let last = Self.attempt(forks, at: december, .cutShort, sent: 1_200_000)
            for attempt in [first, other, last] { try store.record(attempt) }
            #expect(try store.installAttempts(of: forks, since: .distantPast) == [first, last])
            #expect(
                try store.installAttempts(of: nil, since: .distantPast) == [first, other, last]
            )
            #expect(
                try store.installAttempts(of: nil, since: Self.november + 60) == [other, last]
            )
            #expect(try store.installAttempts(of: forks, since: december) == [last])
            #expect(try store.installAttempts(of: pare, since: december).isEmpty)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what another process adds shows, and is read once`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            let forks = try #require(BundleIdentifier("com.example.forks"))
            try store.record(Self.attempt(forks, at: Self.november, .downloaded))
            #expect(try store.installAttempts(of: forks, since: .distantPast).count == 1)
            let second = try place.open()
            try second.record(Self.attempt(forks, at: Self.november + 5, .cutShort))
            try second.record(Self.attempt(forks, at: Self.november + 9, .manifestOnly))
            let found = try store.installAttempts(of: forks, since: .distantPast)
            #expect(found.map(\.outcome) == [.downloaded, .cutShort, .manifestOnly])
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `of a month that is too long to read the latest are known`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            let forks = try #require(BundleIdentifier("com.example.forks"))
            try store.record(Self.attempt(forks, at: Self.november, .downloaded))
            let journal = "installs/2026-11.jsonl"
            let line = String(decoding: try #require(place.bytes(at: journal)), as: UTF8.self)
            let many = String(repeating: line, count: (5 << 20) / line.utf8.count)
            try place.put(many.utf8, at: journal)
            try store.record(Self.attempt(forks, at: Self.november + 9, .cutShort, sent: 7))
            let found = try place.open()
                .installAttempts(of: forks, since: .distantPast)
            #expect(found.last?.sent == 7)
            #expect(found.count > 10_000)
            #expect(found.count * line.utf8.count <= 4 << 20)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a line that cannot be read hides no other, and verify finds it`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            let forks = try #require(BundleIdentifier("com.example.forks"))
            try store.record(Self.attempt(forks, at: Self.november, .downloaded))
            let journal = "installs/2026-11.jsonl"
            let line = String(decoding: try #require(place.bytes(at: journal)), as: UTF8.self)
            let damaged = line.replacing("downloaded", with: "vanished")
            try place.put((line + damaged).utf8, at: journal)
            #expect(try store.installAttempts(of: forks, since: .distantPast).count == 1)
            let problems = try store.verify().problems
            #expect(problems.contains { $0.message.contains("installs/2026-11.jsonl line 2") })
        }
    }

    @Test(arguments: [
        (
            InstallAttempt.Outcome.downloaded, 12_400_000,
            "The device downloaded the whole app (12.4 MB).",
        ),
        (.manifestOnly, 0, "The device asked about the app but never downloaded it."),
        (.cutShort, 3_000_000, "The download stopped after 3 MB."),
        (.cutShort, 0, "The download stopped before its first byte."),
    ])
    func `an attempt says in a sentence what happened`(
        outcome: InstallAttempt.Outcome,
        sent: Int,
        sentence: String,
    ) throws {
        let forks = try #require(BundleIdentifier("com.example.forks"))
        let attempt = Self.attempt(forks, at: Self.november, outcome, sent: sent)
        #expect(attempt.sentence == sentence)
    }

    private static func attempt(
        _ app: BundleIdentifier,
        at date: Date,
        _ outcome: InstallAttempt.Outcome,
        sent: Int = 0,
    ) -> InstallAttempt {
        InstallAttempt(
            app: app,
            release: ReleaseIdentifier(version: "1.0", build: "7"),
            device: "0123456789abcdef01234567",
            began: date - 30,
            ended: date,
            outcome: outcome,
            sent: sent,
        )
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
