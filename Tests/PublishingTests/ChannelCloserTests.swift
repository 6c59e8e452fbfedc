import Bundles
import Cryptography
import Foundation
import Identifiers
import Publishing
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// Channels that end, together with the releases that no other channel offers.
struct ChannelCloserTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private struct Room {
        let store: OTAStore
        let app: BundleIdentifier
        let date: Date
        let pull: ChannelName

        func publish(
            _ number: Int,
            on channel: ChannelName? = nil,
            until end: Date? = nil,
        ) throws -> ReleaseIdentifier {
            var release = StoredRelease()
            release.build = "\(number)"
            release.contents = "IPA \(number)"
            release.date = date + Double(number)
            release.channel = channel ?? pull
            return try release.publish(into: store, until: end).release.identifier
        }

        func closer(at seconds: Double = 100) -> ChannelCloser {
            ChannelCloser(of: app, in: store, by: "Ada", at: date + seconds)
        }

        func record() throws -> AppRecord { try #require(try store.app(app, isCurrent: true)) }

        func withdrawn() throws -> Set<ReleaseIdentifier> {
            Set(try store.releases(of: app).filter { $0.withdrawal != nil }.map(\.identifier))
        }
    }

    private func room(_ body: (Room) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let store = try OTAStore.openOrCreate(at: folder.path() + "store", now: date)
            try body(
                Room(
                    store: OTAStore(backend: store.backend, interval: .zero),
                    app: StoredRelease().identifier,
                    date: date,
                    pull: try #require(ChannelName("pr-12")),
                )
            )
        }
    }

    @Test func `a channel ends at its time, and not before`() async throws {
        try await room { room in
            let stable = try room.publish(1, on: .stable)
            let first = try room.publish(2, until: date + 3600)
            let second = try room.publish(3)
            #expect(try room.record().end(of: room.pull) == date + 3600, "it stays")
            #expect(try room.store.endDueChannels(at: date + 3599).isEmpty)
            let moved = try room.publish(4, until: date + 7200)
            #expect(try room.store.endDueChannels(at: date + 7199).isEmpty, "it was moved")
            let ended = try room.store.endDueChannels(at: date + 7200)
            #expect(ended.map(\.ending.channel) == [room.pull])
            #expect(Set(ended.flatMap(\.ending.withdrawn)) == [first, second, moved])
            #expect(try room.withdrawn() == [first, second, moved])
            let gone = try #require(try room.store.release(moved, of: room.app)?.withdrawal)
            #expect(gone.reason == "The channel pr-12 has ended." && gone.actor == "ota")
            let app = try room.record()
            #expect(app.channels == [.stable: stable] && app.channelEnds == nil)
            #expect(app.ended(room.pull)?.date == date + 7200)
            let told = try room.store.activity(count: 1)
            #expect(told.map(\.event) == [.channelEnded] && told[0].subject == "pr-12")
            // Also for a clock that is set back, and one that runs on.
            for later in [date, date + 7200, date + 9_999_999] {
                #expect(try room.store.endDueChannels(at: later).isEmpty)
            }
            #expect(try room.store.activity(count: 1) == told)
            #expect(try room.store.verify().problems.isEmpty)
        }
    }

    @Test func `an end that was cut short leaves no channel that offers nothing`() async throws {
        try await room { room in
            _ = try room.publish(1, on: .stable)
            let pulled = try room.publish(2, until: date + 3600)
            _ = try room.closer().end(room.pull)
            let withdrawal = try room.store.release(pulled, of: room.app)?.withdrawal
            #expect(try room.publish(2, until: date + 3600) == pulled)
            #expect(try room.withdrawn().isEmpty)
            // The process ended after it had withdrawn the release that was published at that moment.
            _ = try room.store.changeRelease(pulled, of: room.app) { $0.withdrawal = withdrawal }
            try room.store.changeApp(room.app) { $0.endedChannels?[room.pull]?.isOpen = true }
            _ = try room.store.endDueChannels(at: date + 159)
            #expect(try room.withdrawn() == [pulled], "it may be at work")
            #expect(try room.store.endDueChannels(at: date + 160).isEmpty)
            #expect(try room.withdrawn().isEmpty)
            #expect(try room.record().channels[room.pull] == pulled)
            #expect(try room.record().endedChannels?[room.pull]?.isOpen == nil)
        }
    }

    @Test func `what a person withdraws after its channel has ended stays withdrawn`() async throws
    {
        try await room { room in
            let first = try room.publish(2, until: date + 3600)
            let second = try room.publish(3)
            _ = try room.closer().end(room.pull)
            let byHand = Release.Withdrawal(date: date + 200, actor: "Ada", reason: "It crashes.")
            try room.store.withdraw(first, of: room.app, as: byHand)
            #expect(try room.store.release(first, of: room.app)?.withdrawal == byHand)
            // The first reason is kept.
            let later = Release.Withdrawal(date: date + 300, actor: "Bo", reason: "It is old.")
            try room.store.withdraw(first, of: room.app, as: later)
            #expect(try room.store.release(first, of: room.app)?.withdrawal == byHand)
            _ = try room.store.promote(
                second,
                of: room.app,
                to: .stable,
                by: "Ada",
                at: date + 400,
            )
            #expect(try room.withdrawn() == [first])
            #expect(throws: (any Error).self) {
                _ = try room.store.promote(
                    first,
                    of: room.app,
                    to: .stable,
                    by: "Ada",
                    at: date + 401,
                )
            }
        }
    }

    @Test func `it ends by hand, once, and what was never there changes nothing`() async throws {
        try await room { room in
            _ = try room.publish(1, on: .stable)
            let pulled = try room.publish(2, until: date + 3600)
            let first = try room.closer().end(room.pull)
            #expect(first.isNew && first.withdrawn == [pulled] && first.date == date + 100)
            let again = try room.closer(at: 200).end(room.pull)
            #expect(!again.isNew && again.withdrawn.isEmpty && again.date == date + 100)
            let other = try #require(ChannelName("pr-99"))
            let none = try room.closer().end(other)
            #expect(!none.isNew && none.date == nil)
            #expect(try room.record().endedChannels?[other] == nil)
            #expect(throws: ReleaseRefusal.lastingChannel(.stable)) {
                try room.closer().end(.stable)
            }
            let unknown = try #require(BundleIdentifier("com.example.none"))
            #expect(throws: ReleaseRefusal.unknownApp("com.example.none")) {
                try ChannelCloser(of: unknown, in: room.store, by: "Ada", at: date).end(other)
            }
        }
    }

    @Test func `what another channel offers stays`() async throws {
        try await room { room in
            _ = try room.publish(1, on: .stable)
            let shared = try room.publish(2, until: date + 3600)
            let alone = try room.publish(3)
            try room.store.promote(shared, of: room.app, to: .stable, by: "Ada", at: date)
            #expect(try room.closer().end(room.pull).withdrawn == [alone])
            #expect(try room.withdrawn() == [alone])
        }
    }

    @Test func `a build of an ended channel goes with the next one that offered it`() async throws {
        try await room { room in
            _ = try room.publish(1, on: .stable)
            let pulled = try room.publish(2, until: date + 3600)
            _ = try room.closer().end(room.pull)
            let other = try #require(ChannelName("pr-13"))
            #expect(try room.publish(2, on: other, until: date + 9000) == pulled)
            #expect(try room.withdrawn().isEmpty)
            #expect(try room.closer(at: 200).end(other).withdrawn == [pulled])
            #expect(try room.withdrawn() == [pulled])
        }
    }

    @Test func `a build goes with its last channel, whichever was the first`() async throws {
        try await room { room in
            _ = try room.publish(1, on: .stable)
            let names = try ["pr-20", "pr-33", "pr-40"].map { try #require(ChannelName($0)) }
            let shared = try room.publish(2, on: names[0], until: date + 3600)
            _ = try room.closer().end(names[0])
            for channel in names.dropFirst() {
                #expect(try room.publish(2, on: channel, until: date + 3600) == shared)
            }
            #expect(try room.closer(at: 200).end(names[1]).withdrawn.isEmpty)
            // A later build replaces it before the channel ends.
            let later = try room.publish(3, on: names[2])
            let withdrawn = try room.closer(at: 300).end(names[2]).withdrawn
            #expect(Set(withdrawn) == [shared, later])
            #expect(try room.withdrawn() == [shared, later])
        }
    }

    @Test func `what was promoted goes too, but not what a lasting channel offered`() async throws {
        try await room { room in
            let old = try room.publish(1, on: .stable)
            _ = try room.publish(2, on: .stable)
            let other = try #require(ChannelName("pr-13"))
            let pulled = try room.publish(3, until: date + 3600)
            let promoted = try room.publish(4, until: date + 3600)
            _ = try room.publish(5, on: other, until: date + 7200)
            for release in [old, pulled] {
                try room.store.promote(release, of: room.app, to: other, by: "Ada", at: date)
            }
            // Stable offers one of them for a while.
            try room.store.promote(promoted, of: room.app, to: .stable, by: "Ada", at: date)
            _ = try room.publish(6, on: .stable)
            #expect(try room.closer().end(room.pull).withdrawn.isEmpty)
            let withdrawn = try room.closer(at: 200).end(other).withdrawn
            #expect(withdrawn.count == 2 && withdrawn.contains(pulled))
            #expect(try !room.withdrawn().contains(old))
            #expect(try !room.withdrawn().contains(promoted))
        }
    }

    @Test func `a channel that has ended opens again with a new end only`() async throws {
        try await room { room in
            let stable = try room.publish(1, on: .stable)
            _ = try room.publish(2, until: date + 3600)
            let refusal = ReleaseRefusal.closedChannel(room.pull)
            func expectRefusal(at now: Date) throws {
                #expect(throws: refusal) {
                    try room.store.promote(stable, of: room.app, to: room.pull, by: "Ada", at: now)
                }
            }
            // Its end has passed, but no server has ended it yet.
            try expectRefusal(at: date + 3600)
            _ = try room.closer().end(room.pull)
            try expectRefusal(at: date)
            #expect(throws: refusal) { try room.publish(3) }
            #expect(try room.store.releases(of: room.app).count == 2, "nothing is stored")
            #expect(throws: refusal) { try room.publish(2) }
            #expect(try room.withdrawn().count == 1)
            let opened = try room.publish(3, until: date + 9000)
            try room.store.promote(stable, of: room.app, to: room.pull, by: "Ada", at: date)
            #expect(try room.record().end(of: room.pull) == date + 9000)
            #expect(try room.closer(at: 300).end(room.pull).withdrawn == [opened])
        }
    }

    @Test func `a promotion gives its channel an end, moves it, and opens one that has ended`()
        async throws
    {
        try await room { room in
            let stable = try room.publish(1, on: .stable)
            let (day, week) = (try #require(ChannelLife("1d")), try #require(ChannelLife("1w")))
            func promote(lasting life: ChannelLife?, to channel: ChannelName? = nil) throws {
                try room.store.promote(
                    stable,
                    of: room.app,
                    to: channel ?? room.pull,
                    lasting: life,
                    by: "Ada",
                    at: date,
                )
            }
            try promote(lasting: day)
            #expect(try room.record().end(of: room.pull) == date + 86_400)
            try promote(lasting: nil)
            #expect(try room.record().end(of: room.pull) == date + 86_400, "it stays")
            try promote(lasting: week)
            #expect(try room.record().end(of: room.pull) == date + 7 * 86_400)
            #expect(throws: ReleaseRefusal.lastingChannel(.stable)) {
                try promote(lasting: day, to: .stable)
            }
            _ = try room.closer().end(room.pull)
            #expect(throws: ReleaseRefusal.closedChannel(room.pull)) { try promote(lasting: nil) }
            try promote(lasting: day)
            #expect(try room.record().end(of: room.pull) == date + 86_400)
            #expect(try room.withdrawn().isEmpty, "it was on a channel without an end")
        }
    }

    @Test func `publishing or promoting brings back what an end withdrew`() async throws {
        try await room { room in
            _ = try room.publish(1, on: .stable)
            let first = try room.publish(2, until: date + 3600)
            let second = try room.publish(3)
            _ = try room.closer().end(room.pull)
            #expect(try room.withdrawn() == [first, second])
            // The pull request is reopened.
            #expect(try room.publish(3, until: date + 9000) == second)
            #expect(try room.withdrawn() == [first])
            #expect(try room.record().channels[room.pull] == second)
            #expect(try room.record().end(of: room.pull) == date + 9000)
            #expect(try room.record().ended(room.pull) == nil)
            let beta = try #require(ChannelName("beta"))
            try room.store.promote(first, of: room.app, to: beta, by: "Ada", at: date)
            #expect(try room.withdrawn().isEmpty)
            // A release that was withdrawn by an admin is not restored by that.
            try room.store.withdraw(
                first,
                of: room.app,
                as: Release.Withdrawal(date: date, actor: "Ada", reason: "bad"),
            )
            #expect(throws: ReleaseRefusal.withdrawn(first)) { try room.publish(2) }
        }
    }

    @Test func `a process that ends in between is continued by the next look`() async throws {
        try await room { room in
            _ = try room.publish(1, on: .stable)
            let pulled = try room.publish(2, until: date + 3600)
            // The process ended after the first of the two steps.
            try room.store.changeApp(room.app) {
                _ = $0.end(room.pull, as: EndedChannel(date: date + 10, actor: "Ada"))
            }
            #expect(try room.withdrawn().isEmpty)
            #expect(try room.store.endDueChannels(at: date + 69).isEmpty, "it may be at work")
            let continued = try room.store.endDueChannels(at: date + 70)
            #expect(continued.map(\.ending.withdrawn) == [[pulled]])
            #expect(continued.first?.ending.date == date + 10)
            #expect(try room.record().ended(room.pull)?.isOpen == nil)
            #expect(try room.withdrawn() == [pulled])
            #expect(try room.store.endDueChannels(at: date + 71).isEmpty)
        }
    }

    @Test func `every release of the end is named, whichever process withdrew it`() async throws {
        try await room { room in
            _ = try room.publish(1, on: .stable)
            let first = try room.publish(2, until: date + 3600)
            let second = try room.publish(3)
            try room.store.changeApp(room.app) {
                _ = $0.end(room.pull, as: EndedChannel(date: date + 10, actor: "Ada"))
            }
            // As another server does that has read the same end.
            _ = try room.store.changeRelease(first, of: room.app) {
                $0.withdrawal = Release.Withdrawal(
                    date: date + 10,
                    actor: "Ada",
                    reason: "The channel pr-12 has ended.",
                    endedChannel: room.pull,
                )
            }
            let ending = try room.closer(at: 11).end(room.pull)
            #expect(Set(ending.withdrawn) == [first, second])
        }
    }

    @Test func `a channel that lasts gets no end, and nothing is stored`() async throws {
        try await withTemporaryFolder { folder in
            let room = try PublishingRoom(in: folder, at: date)
            let life = try #require(ChannelLife("14d"))
            #expect(throws: ReleaseRefusal.lastingChannel(.stable)) {
                try room.publish(room.browsey()) { $0.channelLife = life }
            }
            try room.expectNothingStored()
            let beta = try #require(ChannelName("beta"))
            let pull = try #require(ChannelName("pr-12"))
            _ = try room.publish { $0.channel = beta }
            #expect(throws: ReleaseRefusal.lastingChannel(beta)) {
                try room.publish {
                    $0.channel = beta
                    $0.channelLife = life
                }
            }
            let built = try room.publish {
                $0.channel = pull
                $0.channelLife = life
            }
            #expect(built.channelEnd == date + 14 * 86_400 && built.isOffered)
            let again = try room.publish {
                $0.channel = pull
                $0.channelLife = ChannelLife("1h")
            }
            #expect(again.channelEnd == date + 3600 && !again.isCreated)
            let published = try room.store.activity(count: 9).filter { $0.event == .published }
            #expect(published.count == 2, "an end that moves is no publish")
        }
    }

    @Test func `prune takes what an end withdrew, whatever is kept`() async throws {
        try await room { room in
            let stable = try room.publish(1, on: .stable)
            let first = try room.publish(2, until: date + 3600)
            let second = try room.publish(3)
            _ = try room.closer().end(room.pull)
            let pruned = try Prune(keep: 5).run(
                on: room.app,
                in: room.store,
                by: "Ada",
                at: date,
            )
            #expect(Set(pruned.releases) == [first, second])
            #expect(try room.store.releaseIdentifiers(of: room.app) == [stable])
            #expect(try room.store.collect(olderThan: 0).blobs >= 2)
            #expect(try room.store.verify().problems.isEmpty)
        }
    }
}
