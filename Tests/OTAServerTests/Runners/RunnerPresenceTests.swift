import Foundation
import Identifiers
import Testing

@testable import API

/// Which runners count as lost.
struct RunnerPresenceTests {
    private static let date = Date(timeIntervalSince1970: 1_795_000_000)
    private let start = ContinuousClock.now

    private func slug(_ text: String) throws -> Slug { try #require(Slug(text)) }

    @Test func `a runner is gone when its poll has ended and no other comes in time`() throws {
        var presence = RunnerPresence()
        let one = try slug("one")
        var wasGone = presence.polls(one)
        #expect(!wasGone)
        presence.leaves(one, at: Self.date, start)
        let gone = [4, 5, 60].map { presence.newlyGone(at: start + .seconds($0)) }
        #expect(gone == [[:], [one: Self.date], [:]])
        wasGone = presence.polls(one)
        #expect(wasGone)
        wasGone = presence.polls(one)
        #expect(!wasGone)
    }

    @Test func `a runner that polls again in time is not gone`() throws {
        var presence = RunnerPresence()
        let (one, two) = (try slug("one"), try slug("two"))
        presence.leaves(one, at: Self.date, start)
        presence.leaves(two, at: Self.date + 1, start + .seconds(1))
        let wasGone = presence.polls(one)
        #expect(!wasGone)
        let gone = presence.newlyGone(at: start + .seconds(60))
        #expect(gone == [two: Self.date + 1])
    }
}
