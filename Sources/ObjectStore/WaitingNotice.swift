import Dispatch
import Essentials
package import HTTPCalling
import Synchronization

/// Sends requests to a store, and reports from time to time that it has not answered yet.
///
/// A wait starts with a request and ends with a response other than a server error (5xx), so that a request
/// and its retries count as one wait.
package final class WaitingNotice: BlockingCallTransport {
    /// When to report, relative to the start of a wait.
    package struct Timing: Sendable {
        /// The time until the first report.
        package var first: Duration
        /// The time between further reports.
        package var further: Duration

        package init(first: Duration = .seconds(5), further: Duration = .seconds(10)) {
            self.first = first
            self.further = further
        }
    }

    private struct State {
        var since: ContinuousClock.Instant?
        /// The number of the wait, which distinguishes it from later ones.
        var number = 0
        var isOver = false
    }

    private let transport: any BlockingCallTransport
    private let timing: Timing
    private let tell: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - timing: when to report.
    ///   - tell: reports the seconds since the start of the wait; called on another thread.
    package init(
        _ transport: any BlockingCallTransport,
        timing: Timing = Timing(),
        tell: @escaping @Sendable (Int) -> Void,
    ) {
        self.transport = transport
        self.timing = timing
        self.tell = tell
    }

    /// Stops reporting: a server that follows changes reports in its log.
    package func end() { state.withLock { $0.isOver = true } }

    package func waitForAnswer(to request: CallRequest) throws(CallTrouble) -> CallAnswer {
        let begun = state.withLock { state -> Int? in
            guard state.since == nil, !state.isOver else { return nil }
            state.since = .now
            state.number += 1
            return state.number
        }
        if let begun { look(at: begun, after: timing.first + Self.sending(request)) }
        let answer = try transport.waitForAnswer(to: request)
        if answer.status < 500 { state.withLock { $0.since = nil } }
        return answer
    }

    /// Allows one second per MiB of the body before the store counts as not answering.
    private static func sending(_ request: CallRequest) -> Duration {
        .seconds((request.flowingBody?.count ?? request.body?.count ?? 0) >> 20)
    }

    private func look(at number: Int, after pause: Duration) {
        let milliseconds = Int(pause / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            [weak self] in self?.say(number)
        }
    }

    private func say(_ number: Int) {
        let waited = state.withLock { state -> Duration? in
            guard state.number == number, !state.isOver else { return nil }
            return state.since.map { .now - $0 }
        }
        guard let waited else { return }
        tell(Int(waited.components.seconds))
        look(at: number, after: timing.further)
    }
}
