import Foundation
import Identifiers
import Publishing
import Releases
import Store
import StoreFixtures
import Synchronization
import TestSupport
import Testing

/// Retention rules: random histories compared with a model, crashes, and the day on which they are applied.
struct RetentionTests {
    private static let day = 86_400.0
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: 0..<(ProcessInfo.processInfo.environment["OTA_LONG"] == nil ? 24 : 600))
    func `what goes after any history is what a model says, and so are the bytes`(
        seed: Int
    ) throws {
        var history = try RetentionHistory(seed: UInt64(seed), from: start)
        for _ in 0..<30 { try history.step() }
        let before = try history.releases()
        let kept = history.kept()
        let outcome = try history.apply()
        #expect(try history.releases() == kept, "seed \(seed), \(history.rules)")
        #expect(Set(outcome.removed) == before.subtracting(kept), "seed \(seed)")
        let record = try history.record()
        #expect(record.channels.values.allSatisfy(kept.contains), "a channel lost its release")
        // With a negative age, the collection includes everything, however new.
        let collected = try history.store.collect(olderThan: -1)
        #expect(collected.bytes == outcome.freed, "seed \(seed)")
        #expect(try history.store.retention().open.isEmpty)
        let told = try history.store.activity(count: 500).filter { $0.event == .rulesApplied }
        #expect(told.count == (outcome.removed.isEmpty ? 0 : 1))
        #expect(told.first?.removed?.freed ?? 0 == outcome.freed)
        #expect(try history.apply().removed.isEmpty, "rules that were applied have nothing left")
    }

    @Test func `a dry run says why each release stays, and changes nothing`() throws {
        let place = try Place(at: start)
        for number in 1...5 { try place.publish(number, daysAgo: 100 - number) }
        _ = try place.store.changeRelease(place.name(2), of: place.app) {
            $0.pin = ReleasePin(date: start, actor: "Ada", reason: "audited")
        }
        try place.store.record(place.install(of: 1, by: String(repeating: "a1", count: 12)))
        let rules = RetentionRules(newest: 2)
        let work = Retention(in: place.store, by: "Ada", at: start)
        let tried = try work.preview(place.record(), under: rules)
        #expect(tried.removed == [place.name(3)])
        #expect(try tried.freed == place.own(3), "the icons are those of all of them")
        let words = tried.plan.lines.map { $0.reasons.map(\.words) }
        #expect(
            words == [
                ["stable offers it", "one of the newest on stable"],
                ["one of the newest on stable"], [], ["Ada pinned it: audited"],
                ["installed on 1 device"],
            ]
        )
        #expect(try place.releases().count == 5)
        let bare = RetentionRules(newest: 2, keepsInstalled: false)
        #expect(try work.preview(place.record(), under: bare).removed.contains(place.name(1)))
        #expect(try work.preview(place.record()).removed.isEmpty, "no rules hold")
    }

    @Test func `a device has what it downloaded last, and an unknown one counts for a while`()
        throws
    {
        let place = try Place(at: start)
        for number in 1...4 { try place.publish(number, daysAgo: 100) }
        let known = String(repeating: "b2", count: 12)
        let erased = String(repeating: "00", count: 12)
        try place.store.record(place.install(of: 1, by: known, daysAgo: 40))
        try place.store.record(place.install(of: 2, by: known, daysAgo: 30))
        try place.store.record(place.install(of: 3, by: known, daysAgo: 20, .cutShort))
        try place.store.record(place.install(of: 1, by: erased, daysAgo: 89))
        let rules = RetentionRules(newest: 0)
        func gone(_ date: Date) throws -> [ReleaseIdentifier] {
            try Retention(in: place.store, by: "Ada", at: date)
                .preview(place.record(), under: rules).removed
        }
        #expect(try gone(start) == [place.name(3)])
        #expect(try gone(start + 2 * Self.day) == [place.name(3), place.name(1)])
    }

    @Test func `a lease that is lost at any write leaves nothing half done, and it is told once`()
        throws
    {
        var writes = 0
        while true {
            let place = try Place(at: start)
            for number in 1...4 { try place.publish(number, daysAgo: 50) }
            let freed = try (1...3).reduce(0) { try $0 + place.own($1) }
            try place.store.changeApp(place.app) { $0.retention = RetentionRules(newest: 1) }
            try place.setLast(start)
            let due = start + 2 * Self.day
            let lease = ShortLease(lasting: writes)
            var isDone = false
            do {
                _ = try place.store.fenced(by: lease).applyDueRetention(at: due)
                isDone = true
            } catch StoreFailure.leaseLost {}
            _ = try place.store.applyDueRetention(at: due)
            #expect(try place.releases() == [place.name(4)], "after \(writes) writes")
            let told = try place.store.activity(count: 50).filter { $0.event == .rulesApplied }
            #expect(told.count == 1, "after \(writes) writes")
            #expect(told.first?.removed?.count == 3 && told.first?.removed?.freed == freed)
            #expect(told.first?.detail?.hasSuffix("freed") == true)
            #expect(try place.store.retention().open.isEmpty)
            if isDone { break }
            writes += 1
            try #require(writes < 40)
        }
        #expect(writes > 4)
    }

    @Test func `what was pinned or promoted since it was written down stays`() throws {
        let place = try Place(at: start)
        for number in 1...4 { try place.publish(number, daysAgo: 50) }
        try place.store.changeApp(place.app) { $0.retention = RetentionRules(newest: 1) }
        // The lease is lost right after the first write, which records what is about to be removed.
        let fenced = place.store.fenced(by: ShortLease(lasting: 1))
        #expect(throws: StoreFailure.self) {
            try Retention(in: fenced, by: "Ada", at: start).apply(to: [place.record()])
        }
        _ = try place.store.changeRelease(place.name(1), of: place.app) {
            $0.pin = ReleasePin(date: start, actor: "Ada", reason: nil)
        }
        let demo = try #require(ChannelName("demo"))
        try place.store.promote(place.name(2), of: place.app, to: demo, by: "Ada", at: start)
        try Retention(in: place.store, by: "Ada", at: start).resume()
        #expect(try place.releases() == [place.name(1), place.name(2), place.name(4)])
        let told = try place.store.activity(count: 1)
        #expect(told.map(\.subject) == ["1 release"])
        #expect(told.first?.removed?.releases == [place.name(3)])
    }

    @Test func `rules wait for their hour, and are applied once a day`() throws {
        let place = try Place(at: start)
        for number in 1...2 { try place.publish(number, daysAgo: 50) }
        #expect(try place.store.applyDueRetention(at: start) == nil)
        #expect(try place.store.retention().last == nil, "there are no rules")
        try place.store.changeSettings { $0.retention = RetentionRules(days: 30) }
        #expect(try place.store.applyDueRetention(at: start) == nil, "an admin can look first")
        let next = OTAStore.nextRetention(after: start)
        #expect(next > start && next <= start + Self.day)
        #expect(Int(next.timeIntervalSince1970) % 86_400 == 3 * 3600)
        #expect(try place.store.applyDueRetention(at: next - 1) == nil)
        #expect(try place.store.applyDueRetention(at: next)?.map(\.removed) == [[place.name(1)]])
        #expect(try place.store.applyDueRetention(at: next + 60) == nil)
        #expect(OTAStore.nextRetention(after: next) == next + Self.day)
        // An app's own rules replace those for all apps.
        try place.publish(3, daysAgo: 40)
        try place.store.changeApp(place.app) { $0.retention = .everything }
        #expect(try place.store.applyDueRetention(at: next + Self.day) == nil)
        #expect(try place.releases().count == 2)
    }

    @Test func `rules that are set again after a pause wait for their hour too`() throws {
        let place = try Place(at: start)
        for number in 1...2 { try place.publish(number, daysAgo: 50) }
        try place.setLast(start - 28 * Self.day)
        try place.store.awaitRetentionHour(from: start)
        try place.store.changeApp(place.app) { $0.retention = RetentionRules(newest: 1) }
        #expect(try place.store.applyDueRetention(at: start) == nil)
        let next = OTAStore.nextRetention(after: start)
        #expect(try place.store.applyDueRetention(at: next)?.map(\.removed) == [[place.name(1)]])
    }

    @Test func `a withdrawn release takes the place of no other`() throws {
        let place = try Place(at: start)
        for number in 1...3 { try place.publish(number, daysAgo: 50) }
        _ = try place.store.withdraw(
            place.name(3),
            of: place.app,
            as: Release.Withdrawal(date: start, actor: "Ada", reason: "It loses bookmarks."),
        )
        let rules = RetentionRules(newest: 1, keepsInstalled: false)
        let plan = try Retention(in: place.store, by: "Ada", at: start)
            .preview(place.record(), under: rules)
        // The channel still offers the withdrawn one.
        #expect(plan.removed == [place.name(1)])
    }

    @Test func `pruning keeps what is pinned`() throws {
        let place = try Place(at: start)
        for number in 1...3 { try place.publish(number, daysAgo: 50) }
        _ = try place.store.changeRelease(place.name(1), of: place.app) {
            $0.pin = ReleasePin(date: start, actor: "Ada", reason: nil)
        }
        let pruned = try Prune(keep: 0).run(on: place.app, in: place.store, by: "Ada", at: start)
        #expect(pruned.releases == [place.name(2)])
        // The same version with other bytes stays pinned.
        var again = StoredRelease()
        again.build = "1"
        again.contents = "other bytes"
        let replaced = try again.publish(into: place.store, replace: true)
        #expect(replaced.release.pin?.actor == "Ada")
    }

    /// A store in memory with the releases `1.0-1`, `1.0-2` and so on.
    private struct Place {
        let store: OTAStore
        let app: BundleIdentifier
        let date: Date

        init(at date: Date) throws {
            store = OTAStore(
                backend: try OTAStore.openOrCreate(on: MemoryBackend(), now: date).backend,
                interval: .zero,
            )
            app = try StoredRelease().identifier
            self.date = date
        }

        func name(_ number: Int) -> ReleaseIdentifier {
            ReleaseIdentifier(version: "1.0", build: "\(number)")
        }

        func publish(_ number: Int, daysAgo days: Int) throws {
            var release = StoredRelease()
            release.build = "\(number)"
            release.contents = "IPA \(number)"
            release.date = date - Double(days) * 86_400 + Double(number)
            _ = try release.publish(into: store)
        }

        func install(
            of number: Int,
            by device: String?,
            daysAgo days: Int = 3,
            _ outcome: InstallAttempt.Outcome = .downloaded,
        ) -> InstallAttempt {
            let end = date - Double(days) * 86_400
            return InstallAttempt(
                app: app,
                release: name(number),
                device: device,
                began: end,
                ended: end,
                outcome: outcome,
                sent: 1,
            )
        }

        /// The size in bytes of what only this release refers to: its IPA and its report.
        func own(_ number: Int) throws -> Int {
            let release = try #require(try store.release(name(number), of: app))
            return try release.size + store.bytes(of: release.report).count
        }

        func record() throws -> AppRecord { try #require(try store.app(app, isCurrent: true)) }

        func releases() throws -> Set<ReleaseIdentifier> {
            Set(try store.releaseIdentifiers(of: app))
        }

        /// Sets when the server last applied rules.
        func setLast(_ date: Date) throws {
            _ = try store.applyDueRetention(at: date)
        }
    }
}

/// A lease that is lost after the given number of writes.
private final class ShortLease: WorkLease {
    private let left: Mutex<Int>

    init(lasting writes: Int) { left = Mutex(writes) }

    var isHeld: Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}
