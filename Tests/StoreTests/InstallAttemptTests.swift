import Bundles
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// What phones fetched is kept by month, read from its end, and never mixed between apps.
struct InstallAttemptTests {
    private static let november = Date(timeIntervalSince1970: 1_795_000_000)

    @Test func `attempts come back by app and from a date on, the oldest first`() async throws {
        try await withStore { store, _ in
            let forks = try #require(BundleIdentifier("com.example.forks"))
            let pare = try #require(BundleIdentifier("com.example.pare"))
            let december = Self.november + 20 * 86_400
            let first = Self.attempt(forks, at: Self.november, .manifestOnly)
            let other = Self.attempt(pare, at: Self.november + 60, .installed)
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

    @Test func `what another process adds shows, and is read once`() async throws {
        try await withStore { store, path in
            let forks = try #require(BundleIdentifier("com.example.forks"))
            try store.record(Self.attempt(forks, at: Self.november, .installed))
            #expect(try store.installAttempts(of: forks, since: .distantPast).count == 1)
            let second = try OTAStore.open(at: path)
            try second.record(Self.attempt(forks, at: Self.november + 5, .cutShort))
            try second.record(Self.attempt(forks, at: Self.november + 9, .manifestOnly))
            let found = try store.installAttempts(of: forks, since: .distantPast)
            #expect(found.map(\.outcome) == [.installed, .cutShort, .manifestOnly])
        }
    }

    @Test func `of a month that is too long to read the latest are known`() async throws {
        try await withStore { store, path in
            let forks = try #require(BundleIdentifier("com.example.forks"))
            try store.record(Self.attempt(forks, at: Self.november, .installed))
            let journal = "\(path)/installs/2026-11.jsonl"
            let line = try String(contentsOfFile: journal, encoding: .utf8)
            let many = String(repeating: line, count: (5 << 20) / line.utf8.count)
            try Data(many.utf8).write(to: URL(filePath: journal))
            try store.record(Self.attempt(forks, at: Self.november + 9, .cutShort, sent: 7))
            let found = try OTAStore.open(at: path)
                .installAttempts(of: forks, since: .distantPast)
            #expect(found.last?.sent == 7)
            #expect(found.count > 10_000)
            #expect(found.count * line.utf8.count <= 4 << 20)
        }
    }

    @Test func `a line that cannot be read hides no other, and verify finds it`() async throws {
        try await withStore { store, path in
            let forks = try #require(BundleIdentifier("com.example.forks"))
            try store.record(Self.attempt(forks, at: Self.november, .installed))
            let journal = "\(path)/installs/2026-11.jsonl"
            let line = try String(contentsOfFile: journal, encoding: .utf8)
            let damaged = line.replacing("installed", with: "vanished")
            try Data((line + damaged).utf8).write(to: URL(filePath: journal))
            #expect(try store.installAttempts(of: forks, since: .distantPast).count == 1)
            let problems = try store.verify().problems
            #expect(problems.contains { $0.message.contains("installs/2026-11.jsonl line 2") })
        }
    }

    @Test(arguments: [
        (
            InstallAttempt.Outcome.installed, 12_400_000,
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

    private func withStore(_ body: (OTAStore, String) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path()
            try body(OTAStore.openOrCreate(at: path, now: Self.november), path)
        }
    }
}
