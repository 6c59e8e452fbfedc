import Foundation
import Synchronization

/// Measures on a thread of its own the memory of a process and its children.
final class ResidentWatch: Sendable {
    private struct State {
        var peak = 0.0
        var isOver = false
    }

    private let identifier: pid_t
    private let state = Mutex(State())

    init(_ identifier: pid_t) {
        self.identifier = identifier
    }

    func start() {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                let now = ProcessFacts.family(of: identifier).map(\.resident).reduce(0, +)
                state.withLock { $0.peak = max($0.peak, now) }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    /// Stops measuring, and returns the maximum in bytes.
    @discardableResult
    func stop() -> Double {
        state.withLock { state in
            state.isOver = true
            return state.peak
        }
    }
}
