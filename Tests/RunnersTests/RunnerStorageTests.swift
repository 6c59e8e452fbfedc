import Foundation
import Identifiers
import Runners
import Store
import TestSupport
import Testing

/// The documents of runners and stages in the store.
struct RunnerStorageTests {
    private static let now = RunnerExamples.now

    private func withStore(_ body: (OTAStore) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let created = try OTAStore.openOrCreate(
                at: folder.appending(path: "store").path(),
                now: Self.now,
            )
            try body(OTAStore(backend: created.backend, interval: .zero))
        }
    }

    private func add(_ name: String, for mirror: String, to store: OTAStore) throws {
        let random = RunnerExamples.Bytes()
        try store.changeRunners {
            _ = try $0.add(
                try RunnerExamples.slug(name),
                labels: [],
                mirrors: [try RunnerExamples.slug(mirror)],
                at: Self.now,
                by: "ana",
                random: random.give,
            )
        }
    }

    @Test func `a stage is leased to one of two, and removed with its build`() async throws {
        try await withStore { store in
            let (one, two) = (try RunnerExamples.slug("one"), try RunnerExamples.slug("two"))
            let demo = try RunnerExamples.slug("demo")
            #expect(try store.lease(1, demo, to: one, at: Self.now) == nil)
            try store.offer(try RunnerExamples.stage())
            #expect(try store.lease(1, demo, to: one, at: Self.now)?.attempts.count == 1)
            #expect(try store.lease(1, demo, to: two, at: Self.now) == nil)
            #expect(try store.stages().held(by: one)?.build == 1)
            #expect(try store.stages().held(by: two) == nil)
            #expect(throws: RunnerRefusal.leaseEnded) {
                try store.changeStage(of: 1, demo, heldBy: two, as: 1) { $0.renew(at: Self.now) }
            }
            #expect(throws: RunnerRefusal.leaseEnded) {
                try store.changeStage(of: 9, demo, heldBy: one, as: 1) { $0.renew(at: Self.now) }
            }
            try store.changeStage(of: 1, demo, heldBy: one, as: 1) { $0.renew(at: Self.now) }
            let ended = try store.expireStages(at: Self.now + 76, listeningSince: .distantPast)
            #expect(ended.map(\.stage.state) == [.offered])
            #expect(ended.map(\.reason) == ["runner one was not heard from for 60 s"])
            // Offered again, it replaces the earlier stage.
            try store.offer(try RunnerExamples.stage())
            #expect(try store.stage(of: 1, demo)?.attempts == [])
            try store.removeStage(of: 1, demo)
            try store.removeStage(of: 1, demo)
            #expect(try store.stages().isEmpty)
            #expect(try store.verify(beside: store.runnerProblems()).problems.isEmpty)
        }
    }

    @Test func `a runner that has lost its lease is offline`() async throws {
        try await withStore { store in
            try add("one", for: "demo", to: store)
            let one = try RunnerExamples.slug("one")
            let demo = try RunnerExamples.slug("demo")
            try store.noteRunners(waiting: [one], at: Self.now)
            try store.offer(try RunnerExamples.stage())
            _ = try store.lease(1, demo, to: one, at: Self.now)
            try store.changeStage(of: 1, demo, heldBy: one, as: 1) { $0.renew(at: Self.now) }
            let leased = try #require(try store.stage(of: 1, demo))
            let early = try store.expire(leased, at: Self.now + 75, listeningSince: .distantPast)
            #expect(early.stage == leased && early.reason == nil)
            #expect(try store.runners()[one]?.isGone == nil)
            let late = try store.expire(leased, at: Self.now + 76, listeningSince: .distantPast)
            #expect(late.stage.state == .offered && late.reason != nil)
            #expect(try store.runners()[one]?.isGone == true)
            #expect(try store.runners()[one]?.seen == Self.now)
        }
    }

    @Test func `a removed runner gives up what it works on`() async throws {
        try await withStore { store in
            try add("one", for: "demo", to: store)
            let one = try RunnerExamples.slug("one")
            let demo = try RunnerExamples.slug("demo")
            try store.offer(try RunnerExamples.stage())
            _ = try store.lease(1, demo, to: one, at: Self.now)
            try store.removeRunner(one)
            let stage = try #require(try store.stage(of: 1, demo))
            #expect(stage.state == .offered)
            #expect(stage.attempts.first?.lost == "runner one was removed")
            #expect(throws: RunnerRefusal.unknown("one")) { try store.removeRunner(one) }
            #expect(try store.runners().runners.isEmpty)
        }
    }

    @Test func `a removed mirror leaves neither right nor stage`() async throws {
        try await withStore { store in
            try add("one", for: "demo", to: store)
            try store.offer(try RunnerExamples.stage())
            try store.offer(try RunnerExamples.stage(of: "other"))
            try store.forgetRunners(of: try RunnerExamples.slug("demo"))
            #expect(try store.runners()[try RunnerExamples.slug("one")]?.mirrors == [])
            #expect(try store.stages().map(\.mirror.rawValue) == ["other"])
        }
    }

    @Test func `damaged documents are named, and hold up no others`() async throws {
        try await withStore { store in
            try add("one", for: "demo", to: store)
            try store.offer(try RunnerExamples.stage())
            try store.offer(try RunnerExamples.stage(2))
            let root = try #require(store.localFolder?.root)
            for name in ["stages/demo.1.json", "runners.json"] {
                try Data("{".utf8).write(to: URL(filePath: "\(root)/\(name)"))
            }
            #expect(try store.stages().map(\.build) == [2])
            let places = try store.runnerProblems().map(\.place)
            #expect(places.contains { $0.hasSuffix("runners.json") })
            #expect(places.contains { $0.hasSuffix("demo.1.json") } && places.count == 2)
        }
    }
}
