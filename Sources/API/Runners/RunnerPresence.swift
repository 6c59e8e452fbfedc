import Foundation
import Identifiers

/// Which runners ought to be connected and are not, as the polls of their agents show.
///
/// An agent that has no work polls again at once when a poll has ended. One that does not is gone.
struct RunnerPresence: Sendable {
    private struct Departure {
        /// When its last poll ended.
        let date: Date
        /// When it is taken for gone.
        let due: ContinuousClock.Instant
    }

    private var departures: [Slug: Departure] = [:]
    private var gone: Set<Slug> = []

    /// How long an agent has for its next poll, over a new connection if need be.
    static let patience = Duration.seconds(5)
    /// How long it has after a build, of which it removes the files first.
    static let tidying = Duration.seconds(20)

    /// Notes that a runner polls.
    ///
    /// - Returns: whether it was gone.
    mutating func polls(_ runner: Slug) -> Bool {
        departures[runner] = nil
        return gone.remove(runner) != nil
    }

    /// Notes that a poll of a runner has ended, and that it was given nothing; or that its build has.
    ///
    /// - Parameters:
    ///   - runner: whose poll it was.
    ///   - date: the time for people.
    ///   - now: the same moment.
    ///   - patience: how long it has for its next poll.
    mutating func leaves(
        _ runner: Slug,
        at date: Date,
        _ now: ContinuousClock.Instant,
        for patience: Duration = Self.patience,
    ) {
        departures[runner] = Departure(date: date, due: now + patience)
    }

    /// The runners that are gone now and were not before, each with the time when it was heard from last.
    mutating func newlyGone(at now: ContinuousClock.Instant) -> [Slug: Date] {
        let due = departures.filter { $0.value.due <= now }
        for runner in due.keys { departures[runner] = nil }
        gone.formUnion(due.keys)
        return due.mapValues(\.date)
    }
}
