import NIOCore
import Synchronization

/// The beats of one listener's stream, and its looks at what no event tells; they cost no task.
final class EventTimers: Sendable {
    private let steps: EventFeed.Steps.Continuation
    private let loop: any EventLoop
    /// Nil once they have stopped for good.
    private let running = Mutex<[RepeatedTask]?>([])

    /// - Parameters:
    ///   - steps: where they are added.
    ///   - loop: the thread of the connection.
    init(_ steps: EventFeed.Steps.Continuation, on loop: any EventLoop) {
        self.steps = steps
        self.loop = loop
    }

    /// Begins; not once ``stop()`` was called.
    ///
    /// - Parameters:
    ///   - beat: the time between two beats.
    ///   - look: the time between two looks; nil for none.
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
