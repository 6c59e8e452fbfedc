import NIOCore
import Synchronization

/// The timers of one listener's stream for keep-alive comments and progress checks; they need no task.
final class EventTimers: Sendable {
    private let steps: EventFeed.Steps.Continuation
    private let loop: any EventLoop
    /// Nil once they have stopped permanently.
    private let running = Mutex<[RepeatedTask]?>([])

    /// - Parameters:
    ///   - steps: receives the steps.
    ///   - loop: the connection's event loop.
    init(_ steps: EventFeed.Steps.Continuation, on loop: any EventLoop) {
        self.steps = steps
        self.loop = loop
    }

    /// Starts the timers; does nothing after ``stop()``.
    ///
    /// - Parameters:
    ///   - beat: the interval of keep-alive comments.
    ///   - look: the interval of progress checks; nil for none.
    func start(beat: Duration, look: Duration?) {
        running.withLock { running in
            guard running != nil else { return }
            running?.append(adding(.beat, every: beat))
            if let look { running?.append(adding(.look, every: look)) }
        }
    }

    func stop() {
        let tasks = running.withLock { running in
            defer { running = nil }
            return running ?? []
        }
        for task in tasks { task.cancel() }
    }

    private func adding(_ step: EventFeed.Step, every period: Duration) -> RepeatedTask {
        let period = TimeAmount(period)
        return loop.scheduleRepeatedTask(initialDelay: period, delay: period) { [steps] _ in
            steps.yield(step)
        }
    }
}
