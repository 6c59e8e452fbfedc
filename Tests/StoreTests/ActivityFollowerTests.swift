import Foundation
import Releases
import Store
import StoreFixtures
import Synchronization
import TestSupport
import Testing

/// A single follower feeds every subscriber, no matter which process wrote the journal.
struct ActivityFollowerTests {
    private static let november = Date(timeIntervalSince1970: 1_795_000_000)

    private final class Heard: Sendable {
        private let looks = Mutex<[ActivityFollower.Look]>([])

        func hear(_ look: ActivityFollower.Look) { looks.withLock { $0.append(look) } }

        var count: Int { looks.withLock { $0.count } }
        var subjects: [String] {
            looks.withLock { $0.flatMap { $0.found.map(\.activity.subject) } }
        }
        var cursors: [ActivityCursor] { looks.withLock { $0.flatMap { $0.found.map(\.cursor) } } }
        var failures: Int { looks.withLock { $0.reduce(0) { $0 + $1.failures.count } } }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `each subscriber hears each thing once, across months and a clock that jumps back`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate(now: Self.november)
            try Self.note("before", Self.november, in: store)
            let start = try store.activityEnd(at: Self.november)
            let follower = ActivityFollower(store: store, interval: .milliseconds(10))
            let (first, second) = (Heard(), Heard())
            let subscriptions = [follower.subscribe(first.hear), follower.subscribe(second.hear)]
            let other = try place.open()
            try Self.note("a", Self.november, in: other)
            try await wait { first.subjects == ["a"] }
            try Self.note("b", Self.november + 20 * 86_400, in: other)
            try await wait { first.subjects == ["a", "b"] }
            // A follower with a single position for all months would miss this one.
            try Self.note("c", Self.november, in: other)
            try await wait { first.subjects == ["a", "b", "c"] }
            try await wait { second.subjects == first.subjects }
            let place = try #require(first.cursors.first)
            #expect(try store.follow(from: start, count: 1).end == place)
            #expect(
                try store.follow(from: place, count: 9).found.map(\.activity.subject) == ["c", "b"]
            )
            withExtendedLifetime(subscriptions) {}
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what happens while nobody subscribes is heard by the next one`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate(now: Self.november)
            let follower = ActivityFollower(store: store, interval: .milliseconds(10))
            let (first, second) = (Heard(), Heard())
            let subscription = follower.subscribe(first.hear)
            try await wait { first.count > 0 }
            subscription.cancel()
            // A read may be in progress.
            try await Task.sleep(for: .milliseconds(50))
            let count = first.count
            try Self.note("a", Self.november, in: store)
            try await Task.sleep(for: .milliseconds(50))
            #expect(first.count == count)
            let next = follower.subscribe(second.hear)
            try await wait { second.subjects == ["a"] }
            #expect(first.count == count)
            withExtendedLifetime(next) {}
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a line that cannot be read is named once and hides no other`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate(now: Self.november)
            try Self.note("before", Self.november, in: store)
            let follower = ActivityFollower(store: store, interval: .milliseconds(10))
            let heard = Heard()
            let subscription = follower.subscribe(heard.hear)
            try place.append("{]\n".utf8, to: "activity/2026-11.jsonl")
            try Self.note("a", Self.november, in: store)
            try await wait { heard.subjects == ["a"] }
            #expect(heard.failures == 1)
            withExtendedLifetime(subscription) {}
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `beats come now and then, and at once when something happens`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate(now: Self.november)
            let follower = ActivityFollower(store: store, interval: .milliseconds(10))
            var often = follower.beats(every: .milliseconds(50)).makeAsyncIterator()
            for _ in 0..<3 { #expect(await often.next() != nil) }
            var seldom = follower.beats(every: .seconds(3_600)).makeAsyncIterator()
            try Self.note("a", Self.november, in: place.open())
            #expect(await seldom.next() != nil)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `who hears of something finds it in the store, however lately that was read`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            let other = try place.openOrCreate(now: Self.november)
            try Self.note("before", Self.november, in: other)
            let store = OTAStore(backend: try place.backend(), interval: .seconds(3_600))
            #expect(try store.apps().isEmpty)
            let follower = ActivityFollower(store: store, interval: .milliseconds(10))
            let heard = Heard()
            let subscription = follower.subscribe(heard.hear)
            _ = try StoredRelease().publish(into: other)
            try Self.note("a", Self.november, in: other)
            try await wait { heard.subjects.contains("a") }
            #expect(try store.apps().count == 1)
            withExtendedLifetime(subscription) {}
        }
    }

    #if os(Linux)
    @Test func `what is written on this machine is heard before the next look`() async throws {
        try await withPlace(.folder) { place in
            let store = try place.openOrCreate(now: Self.november)
            try Self.note("before", Self.november, in: store)
            let follower = ActivityFollower(store: store, interval: .seconds(3_600))
            let heard = Heard()
            let subscription = follower.subscribe(heard.hear)
            for subject in ["a", "b"] {
                try Self.note(subject, Self.november, in: place.open())
                try await wait { heard.subjects.last == subject }
            }
            #expect(heard.subjects == ["a", "b"])
            withExtendedLifetime(subscription) {}
        }
    }
    #endif

    private static func note(_ subject: String, _ date: Date, in store: OTAStore) throws {
        try store.record(
            Activity(date: date, actor: "test", event: .settingsChanged, subject: subject)
        )
    }

    private func wait(until isTrue: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !isTrue(), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(isTrue())
    }
}
