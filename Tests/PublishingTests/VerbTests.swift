import Bundles
import Foundation
import Identifiers
import Publishing
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// Withdraw, restore, promote, prune.
struct VerbTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a withdrawn release is told to be so and comes back`() async throws {
        try await withReleases(1) { store, app, releases in
            let why = Release.Withdrawal(date: date, actor: "Ada", reason: "crashes at start")
            #expect(try store.withdraw(releases[0], of: app, as: why).withdrawal == why)
            let told = try store.activity(count: 9)
            try store.withdraw(releases[0], of: app, as: why)
            #expect(try store.activity(count: 9) == told)
            #expect(throws: ReleaseRefusal.withdrawn(releases[0])) {
                try release(1).publish(into: store)
            }
            let beta = try #require(ChannelName("beta"))
            #expect(throws: ReleaseRefusal.withdrawn(releases[0])) {
                try store.promote(releases[0], of: app, to: beta, by: "Ada", at: date)
            }
            #expect(try store.app(app)?.channels[.stable] == releases[0])
            try store.restoreRelease(releases[0], of: app, by: "Ada", at: date)
            #expect(try store.release(releases[0], of: app)?.withdrawal == nil)
            #expect(
                try store.activity(count: 9).map(\.event) == [.restored, .withdrawn, .published]
            )
        }
    }

    @Test func `promoting points a channel at a release that is there`() async throws {
        try await withReleases(2) { store, app, releases in
            let beta = try #require(ChannelName("beta"))
            try store.promote(releases[0], of: app, to: beta, by: "Ada", at: date)
            #expect(try store.app(app)?.channels[beta] == releases[0])
            let unknown = ReleaseIdentifier(version: "9", build: "9")
            #expect(throws: ReleaseRefusal.unknownRelease(unknown)) {
                try store.promote(unknown, of: app, to: beta, by: "Ada", at: date)
            }
            let other = try #require(BundleIdentifier("com.example.nothing"))
            #expect(throws: ReleaseRefusal.unknownApp("com.example.nothing")) {
                try store.promote(releases[0], of: other, to: beta, by: "Ada", at: date)
            }
        }
    }

    @Test func `pruning keeps the newest and what a channel offers`() async throws {
        try await withReleases(6) { store, app, releases in
            let beta = try #require(ChannelName("beta"))
            try store.promote(releases[0], of: app, to: beta, by: "Ada", at: date)
            let rehearsed = try Prune(keep: 2, isDryRun: true).run(
                on: app,
                in: store,
                by: "Ada",
                at: date,
            )
            #expect(try store.releaseIdentifiers(of: app).count == 6)
            let removed = try Prune(keep: 2).run(on: app, in: store, by: "Ada", at: date)
            #expect(removed == rehearsed)
            #expect(Set(removed.releases) == Set(releases[1...3]))
            #expect(
                Set(try store.releaseIdentifiers(of: app)) == Set([releases[0]] + releases[4...])
            )
            #expect(try store.verify().problems.isEmpty)
            #expect(try store.collect(olderThan: 0).blobs >= 3)
            #expect(try store.verify().problems.isEmpty)
            #expect(
                try Prune(keep: 0).run(on: app, in: store, by: "Ada", at: date).releases.count == 1
            )
            #expect(try store.app(app)?.channels[.stable] == releases[5])
        }
    }

    private func release(_ number: Int) -> StoredRelease {
        var release = StoredRelease()
        release.build = "\(number)"
        release.contents = "IPA \(number)"
        release.date = date + Double(number)
        return release
    }

    private func withReleases(
        _ count: Int,
        _ body: (OTAStore, BundleIdentifier, [ReleaseIdentifier]) throws -> Void,
    ) async throws {
        try await withTemporaryFolder { folder in
            let store = try OTAStore.openOrCreate(at: folder.path() + "store", now: date)
            let releases = try (1...count).map {
                try release($0).publish(into: store).release.identifier
            }
            try body(store, StoredRelease().identifier, releases)
        }
    }
}
