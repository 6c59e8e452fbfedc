import Foundation
import Identifiers

/// Which runners should be connected but are not, according to the polls of their agents.
///
/// An idle agent polls again as soon as a poll ends. One that does not is gone.
struct RunnerPresence: Sendable {
    private struct Departure {
        /// When its last poll ended.
        let date: Date
        /// When it is considered gone.
        let due: ContinuousClock.Instant
    }

    private var departures: [Slug: Departure] = [:]
    private var gone: Set<Slug> = []

    /// How long an agent may take until its next poll, including a new connection if needed.
    static let patience = Duration.seconds(5)
    /// How long it may take after a build, because it deletes the build's files first.
    static let tidying = Duration.seconds(20)

    /// Records a poll of a runner.
    ///
    /// - Returns: whether it was gone.
    mutating func polls(_ runner: Slug) -> Bool {
        departures[runner] = nil
        return gone.remove(runner) != nil
    }

    /// Records that a runner's poll has ended without a stage, or that its build has ended.
    ///
    /// - Parameters:
    ///   - runner: the runner.
    ///   - date: the current time.
    ///   - now: the same time on the continuous clock.
    ///   - patience: how long it may take until its next poll.
    mutating func leaves(
        _ runner: Slug,
        at date: Date,
        _ now: ContinuousClock.Instant,
        for patience: Duration = Self.patience,
    ) {
        departures[runner] = Departure(date: date, due: now + patience)
    }

    /// The runners that have newly gone, each with the time of its last poll or build.
    mutating func newlyGone(at now: ContinuousClock.Instant) -> [Slug: Date] {
        let due = departures.filter { $0.value.due <= now }
        for runner in due.keys { departures[runner] = nil }
        gone.formUnion(due.keys)
        return due.mapValues(\.date)
    }
}
