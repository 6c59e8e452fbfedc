import Identifiers
import NIOCore

/// A poll of an agent that is waiting for work.
struct WaitingPoll {
    let number: Int
    let runner: Slug
    let end: ContinuousClock.Instant
    let channel: any Channel
    let continuation: CheckedContinuation<RunnerBoard.Given?, Never>

    /// Whether it has timed out, or its connection has closed.
    func isOver(at now: ContinuousClock.Instant) -> Bool { end <= now || !channel.isActive }
}
