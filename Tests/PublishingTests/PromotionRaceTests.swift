import Bundles
import Foundation
import Identifiers
import Publishing
import Releases
import Store
import StoreFixtures
import Synchronization
import Testing

/// Two servers of one store: one promotes a release while the other changes it or its app.
struct PromotionRaceTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)
    private let app: BundleIdentifier

    init() throws {
        app = try StoredRelease().identifier
    }

    /// Moments of a promotion, named after the document that it writes next.
    enum Moment: CaseIterable {
        case beforeItStarts, beforeTheRelease, beforeTheApp, afterTheApp
    }

    @Test(arguments: Moment.allCases)
    func `a release that is withdrawn during its promotion is not promoted`(
        moment: Moment
    ) throws {
        let (own, other, releases, backend) = try stores()
        let beta = try #require(ChannelName("beta"))
        try own.promote(releases[0], of: app, to: beta, by: "Ada", at: date)
        let why = Release.Withdrawal(date: date, actor: "Bob", reason: "crashes at start")
        backend.run(at: moment, of: releases[1], app) {
            try other.withdraw(releases[1], of: app, as: why)
        }
        #expect(throws: ReleaseRefusal.withdrawn(releases[1])) {
            try own.promote(releases[1], of: app, to: beta, by: "Ada", at: date)
        }
        #expect(backend.hasRun)
        for store in [own, other] {
            #expect(try store.app(app, isCurrent: true)?.channels[beta] == releases[0])
            let release = try store.release(releases[1], of: app, isCurrent: true)
            #expect(release?.withdrawal == why)
        }
        // The activity ends with what the channel offers.
        let promoted = try other.activity(count: 9).first { $0.event == .promoted }
        #expect(promoted?.subject == releases[0].rawValue)
    }

    @Test(arguments: Moment.allCases)
    func `a user's withdrawal in place of an ended channel's is not undone`(
        moment: Moment
    ) throws {
        let (own, other, releases, backend) = try stores()
        let beta = try #require(ChannelName("beta"))
        try own.promote(releases[0], of: app, to: beta, by: "Ada", at: date)
        let ended = Release.Withdrawal(
            date: date,
            actor: "ota",
            reason: "The channel pr-1 has ended.",
            endedChannel: ChannelName("pr-1"),
        )
        try own.withdraw(releases[1], of: app, as: ended)
        #expect(try own.release(releases[1], of: app)?.withdrawal == ended)
        let why = Release.Withdrawal(date: date, actor: "Bob", reason: "crashes at start")
        backend.run(at: moment, of: releases[1], app) {
            try other.withdraw(releases[1], of: app, as: why)
        }
        #expect(throws: ReleaseRefusal.withdrawn(releases[1])) {
            try own.promote(releases[1], of: app, to: beta, by: "Ada", at: date)
        }
        #expect(try other.release(releases[1], of: app, isCurrent: true)?.withdrawal == why)
        #expect(try other.app(app, isCurrent: true)?.channels[beta] == releases[0])
    }

    @Test func `a refused promotion does not undo another one`() throws {
        let (own, other, releases, backend) = try stores()
        let beta = try #require(ChannelName("beta"))
        backend.run(at: .afterTheApp, of: releases[1], app) {
            let why = Release.Withdrawal(date: date, actor: "Bob", reason: "crashes at start")
            try other.withdraw(releases[1], of: app, as: why)
            try other.promote(releases[0], of: app, to: beta, by: "Bob", at: date)
        }
        #expect(throws: ReleaseRefusal.withdrawn(releases[1])) {
            try own.promote(releases[1], of: app, to: beta, by: "Ada", at: date)
        }
        #expect(try other.app(app, isCurrent: true)?.channels[beta] == releases[0])
    }

    /// Two stores on the same back end, each with two releases in its cache.
    private func stores() throws -> (OTAStore, OTAStore, [ReleaseIdentifier], BusyBackend) {
        let memory = MemoryBackend()
        let backend = BusyBackend(inner: memory)
        let own = try OTAStore.openOrCreate(on: backend, now: date)
        let other = try OTAStore.open(on: memory)
        let releases = try (1...2).map { number in
            var release = StoredRelease()
            release.build = "\(number)"
            release.contents = "IPA \(number)"
            release.date = date + Double(number)
            return try release.publish(into: own).release.identifier
        }
        for store in [own, other] {
            _ = try store.app(app)
            for release in releases { _ = try store.release(release, of: app) }
        }
        return (own, other, releases, backend)
    }

    /// The back end of a server that is not alone: another one makes changes at a given moment.
    private final class BusyBackend: ForwardingBackend {
        let inner: any Backend
        private let plan = Mutex(Plan())

        struct Plan {
            var name: String?
            var isAfter = false
            var work: (@Sendable () throws -> Void)?
        }

        init(inner: any Backend) { self.inner = inner }

        var hasRun: Bool { plan.withLock { $0.work == nil } }

        func run(
            at moment: Moment,
            of release: ReleaseIdentifier,
            _ app: BundleIdentifier,
            _ work: @escaping @Sendable () throws -> Void,
        ) {
            guard moment != .beforeItStarts else {
                #expect(throws: Never.self) { try work() }
                return
            }
            let document = moment == .beforeTheRelease ? "releases/\(release).json" : "app.json"
            plan.withLock {
                $0.name = "apps/\(app)/" + document
                $0.isAfter = moment == .afterTheApp
                $0.work = work
            }
        }

        private func meet(_ name: DocumentName, isAfter: Bool) {
            let work = plan.withLock { plan in
                guard plan.name == name.path, plan.isAfter == isAfter else {
                    return nil as (@Sendable () throws -> Void)?
                }
                defer { plan.work = nil }
                return plan.work
            }
            guard let work else { return }
            #expect(throws: Never.self) { try work() }
        }

        func write(
            _ bytes: [UInt8],
            to name: DocumentName,
            if condition: WriteCondition,
        ) throws(StoreFailure) -> DocumentVersion {
            meet(name, isAfter: false)
            defer { meet(name, isAfter: true) }
            return try inner.write(bytes, to: name, if: condition)
        }

        func write(
            _ bytes: [UInt8],
            to name: DocumentName,
            if condition: WriteCondition,
            adding entry: JournalEntry,
        ) throws(StoreFailure) -> DocumentVersion {
            meet(name, isAfter: false)
            defer { meet(name, isAfter: true) }
            return try inner.write(bytes, to: name, if: condition, adding: entry)
        }
    }
}
