import Bundles
import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

struct PublishingTransactionTests {
    @Test(arguments: StorePlace.Kind.allCases)
    func `a published release is what its channel offers`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, _ in
            let publication = try StoredRelease().publish(into: store)
            #expect(publication.isCreated)
            let app = try #require(try store.app(slug: publication.app.slug))
            #expect(try store.release(on: .stable, of: app) == publication.release)
            #expect(try store.report(of: publication.release) == StoredRelease().report)
            #expect(try store.profiles().byExpiry.first?.uses.first?.release.rawValue == "1.0-1")
            #expect(try store.activity(count: 10).map(\.event) == [.published])
            #expect(try store.verify().problems == [])
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `the same bytes again change nothing`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, _ in
            let first = try StoredRelease().publish(into: store)
            var again = StoredRelease()
            again.date += 60
            let second = try again.publish(into: store)
            #expect(!second.isCreated)
            #expect(second.release == first.release)
            #expect(try store.activity(count: 10).count == 1)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases, [false, true])
    func `what ended before it was told is told when it is repeated`(
        kind: StorePlace.Kind,
        isReplaced: Bool,
    ) async throws {
        try await withStore(in: kind) { store, place in
            var release = StoredRelease()
            if isReplaced {
                _ = try release.publish(into: store)
                release.contents = "other bytes"
            }
            let first = try release.publish(into: store, replace: isReplaced)
            for file in try place.paths() where file.hasPrefix("activity/") {
                try place.remove(file)
            }
            for _ in 0..<2 {
                release.date += 60
                _ = try release.publish(into: store)
            }
            let told = try store.activity(count: 10)
            #expect(told.map(\.event) == [.published])
            #expect(told.map(\.date) == [first.release.published])
        }
    }

    /// A publish that stored its release and ended before the channel offered it.
    @Test(arguments: StorePlace.Kind.allCases)
    func `what ended before its channel is told once, however often it is repeated`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            var release = StoredRelease()
            _ = try release.publish(into: store)
            release.build = "2"
            release.contents = "newer bytes"
            release.date += 60
            let name = "apps/\(release.app)/app.json"
            let before = try #require(place.bytes(at: name))
            let first = try release.publish(into: store)
            try place.put(before, at: name)
            for file in try place.paths() where file.hasPrefix("activity/") {
                try place.remove(file)
            }
            for _ in 0..<3 {
                release.date += 60
                let app = try release.publish(into: place.open()).app
                #expect(app.channels[.stable] == first.release.identifier)
            }
            let told = try place.open().activity(count: 10)
            #expect(told.map(\.subject) == [first.release.identifier.rawValue])
            #expect(told.map(\.date) == [first.release.published])
            // Publishing on another channel is recorded too, and repeating that does not record the first
            // channel again.
            release.channel = try #require(ChannelName("beta"))
            for _ in 0..<2 {
                release.date += 60
                _ = try release.publish(into: place.open())
            }
            let details = try place.open().activity(count: 10).map(\.detail)
            #expect(details == ["beta", "stable"])
        }
    }

    /// A first publish that has stored its release, while the channel now offers a later one: either it is
    /// still running and will move the channel to its release, or it ended long ago.
    @Test(arguments: StorePlace.Kind.allCases, [true, false])
    func `of a first publish and its repetition one lets the channel offer it, and one tells it`(
        kind: StorePlace.Kind,
        mayBeUnderWay: Bool,
    ) async throws {
        try await withStore(in: kind) { store, place in
            var release = StoredRelease()
            _ = try release.publish(into: store)
            release.build = "2"
            release.contents = "newer bytes"
            release.date += 60
            let name = "apps/\(release.app)/app.json"
            let before = try #require(place.bytes(at: name))
            let first = try release.publish(into: store)
            try place.put(before, at: name)
            for file in try place.paths() where file.hasPrefix("activity/") {
                try place.remove(file)
            }
            var later = StoredRelease()
            later.build = "3"
            later.contents = "the newest bytes"
            later.date += 90
            let other = try later.publish(into: place.open()).release
            release.date += mayBeUnderWay ? 60 : 3_600
            for _ in 0..<2 {
                let app = try release.publish(into: place.open()).app
                let offered = mayBeUnderWay ? first.release : other
                #expect(app.channels[.stable] == offered.identifier)
            }
            let told = try place.open().activity(count: 10)
            #expect(told.map(\.subject).sorted() == ["1.0-2", "1.0-3"], "\(told)")
            #expect(told.contains { $0.date == first.release.published })
        }
    }

    /// Like a CI job that publishes two builds within a second.
    @Test(arguments: StorePlace.Kind.allCases, [false, true])
    func `of two builds of one second, a repeated one takes nothing back`(
        kind: StorePlace.Kind,
        hasEndedEarly: Bool,
    ) async throws {
        try await withStore(in: kind) { store, place in
            let older = try StoredRelease().publish(into: store)
            var newer = StoredRelease()
            newer.build = "2"
            newer.contents = "newer bytes"
            let other = try newer.publish(into: store)
            #expect(other.release.published == older.release.published)
            if hasEndedEarly {
                for file in try place.paths() where file.hasPrefix("activity/") {
                    try place.remove(file)
                }
            }
            let again = try StoredRelease().publish(into: store)
            let offered = hasEndedEarly ? older : other
            #expect(again.app.channels[.stable] == offered.release.identifier)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `other bytes under the same version and build need to be asked for`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, _ in
            let first = try StoredRelease().publish(into: store)
            var other = StoredRelease()
            other.contents = "other bytes"
            #expect(
                throws: ReleaseRefusal.otherBytes(
                    first.release.identifier,
                    there: first.release.sha256,
                )
            ) { try other.publish(into: store) }
            #expect(
                try store.release(first.release.identifier, of: other.identifier) == first.release
            )
            let replaced = try other.publish(into: store, replace: true)
            #expect(replaced.isCreated)
            #expect(
                try store.release(first.release.identifier, of: other.identifier)?.sha256
                    == replaced.release.sha256
            )
            #expect(try store.activity(count: 10).map(\.event) == [.replaced, .published])
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `of many publishers of one build exactly one wins`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<16 {
                    group.addTask {
                        var release = StoredRelease()
                        release.contents = "bytes of \(index)"
                        do {
                            _ = try release.publish(into: place.open())
                            return true
                        } catch is ReleaseRefusal {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 } == 1)
            #expect(outcomes.count == 16)
            #expect(try store.activity(count: 100).count == 1)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `publishers of different builds do not lose each other's channels`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<12 {
                    group.addTask {
                        var release = StoredRelease()
                        release.build = "\(index)"
                        release.contents = "bytes \(index)"
                        release.channel = try #require(ChannelName("channel-\(index)"))
                        _ = try release.publish(into: place.open())
                    }
                }
                try await group.waitForAll()
            }
            let app = try #require(try store.apps().first)
            #expect(app.channels.count == 12)
            #expect(try store.releaseIdentifiers(of: app.bundleIdentifier).count == 12)
            #expect(try store.activity(count: 100).count == 12)
            #expect(try store.verify().problems == [])
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `an old job that runs again does not take the channel back`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, _ in
            let old = StoredRelease()
            _ = try old.publish(into: store)
            var new = StoredRelease()
            new.build = "2"
            new.contents = "newer"
            new.date += 60
            _ = try new.publish(into: store)
            var again = old
            again.date += 120
            _ = try again.publish(into: store)
            #expect(try store.apps().first?.channels[.stable]?.rawValue == "1.0-2")
            again.channel = try #require(ChannelName("beta"))
            _ = try again.publish(into: store)
            #expect(try store.apps().first?.channels.count == 2)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a release without its blobs is refused`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, _ in
            let release = StoredRelease()
            let record = try release.release(report: release.report, into: store)
            _ = try store.backend.delete(record.sha256, unlessPutWithin: 0)
            #expect(throws: StoreFailure.missingBlob(record.sha256)) {
                try store.publish(record, report: release.report)
            }
            #expect(try store.apps() == [])
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `two apps of one name get two slugs`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<6 {
                    group.addTask {
                        var release = StoredRelease()
                        release.app = "com.example.app\(index)"
                        _ = try release.publish(into: place.open())
                    }
                }
                try await group.waitForAll()
            }
            #expect(Set(try store.apps().map(\.slug)).count == 6)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `releases are listed by version, a page at a time`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, _ in
            for (version, build) in [
                ("1.9", "30"), ("1.10", "2"), ("1.9", "4"), ("1.10", "beta"),
            ] {
                var release = StoredRelease()
                release.version = version
                release.build = build
                _ = try release.publish(into: store)
            }
            let app = try StoredRelease().identifier
            #expect(
                try store.releaseIdentifiers(of: app).map(\.rawValue)
                    == ["1.10-2", "1.10-beta", "1.9-30", "1.9-4"]
            )
            #expect(
                try store.releases(of: app, offset: 1, count: 2).map(\.build) == ["beta", "30"]
            )
            #expect(try store.releases(of: app, offset: 9, count: 2).isEmpty)
        }
    }

    private func withStore(
        in kind: StorePlace.Kind,
        _ body: (OTAStore, StorePlace) async throws -> Void,
    ) async throws {
        try await withPlace(kind) { place in try await body(place.openOrCreate(), place) }
    }
}
