import NIOCore
import Synchronization

/// The timer of one listener's stream that checks the progress of its device; it needs no task.
final class ProgressTimer: Sendable {
    private enum State {
        case waiting
        case running(RepeatedTask)
        case stopped
    }

    private let replies: EventReplies
    private let loop: any EventLoop
    private let state = Mutex(State.waiting)

    /// - Parameters:
    ///   - replies: is asked at each interval.
    ///   - loop: the connection's event loop.
    init(_ replies: EventReplies, on loop: any EventLoop) {
        self.replies = replies
        self.loop = loop
    }

    /// Starts the timer; does nothing after ``stop()``.
    func start(every period: Duration) {
        let period = TimeAmount(period)
        state.withLock { state in
            guard case .waiting = state else { return }
            state = .running(
                loop.scheduleRepeatedTask(initialDelay: period, delay: period) { [replies] _ in
                    replies.reply(to: .look)
                }
            )
        }
    }

    /// Stops the timer permanently.
    func stop() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .stopped
        }
    }
}
