import Identifiers
import NIOCore

/// A request of an agent that waits for work.
struct WaitingPoll {
    let number: Int
    let runner: Slug
    let end: ContinuousClock.Instant
    let channel: any Channel
    let continuation: CheckedContinuation<RunnerBoard.Given?, Never>

    /// Whether its time is over, or its connection has ended.
    func isOver(at now: ContinuousClock.Instant) -> Bool { end <= now || !channel.isActive }
}
