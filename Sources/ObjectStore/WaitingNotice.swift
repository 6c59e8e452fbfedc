import Dispatch
import Essentials
package import HTTPCalling
import Synchronization

/// Carries requests to a store, and says from time to time that it has not answered yet.
///
/// The wait begins with a request and ends with an answer that is none of a store in trouble: a request that
/// is repeated is waited for as a whole.
package final class WaitingNotice: BlockingCallTransport {
    /// When something is said, from the beginning of a wait.
    package struct Timing: Sendable {
        /// Until it is said first.
        package var first: Duration
        /// From then on.
        package var further: Duration

        package init(first: Duration = .seconds(5), further: Duration = .seconds(10)) {
            self.first = first
            self.further = further
        }
    }

    private struct State {
        var since: ContinuousClock.Instant?
        /// Of the wait, so that none is taken for another one.
        var number = 0
        var isOver = false
    }

    private let transport: any BlockingCallTransport
    private let timing: Timing
    private let tell: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - transport: what carries the requests.
    ///   - timing: when something is said.
    ///   - tell: says it; gets the seconds so far. It is called on a thread of its own.
    package init(
        _ transport: any BlockingCallTransport,
        timing: Timing = Timing(),
        tell: @escaping @Sendable (Int) -> Void,
    ) {
        self.transport = transport
        self.timing = timing
        self.tell = tell
    }

    /// Says nothing from now on: a server, which has begun to follow changes, reports by its log.
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

    /// A megabyte a second is no sign of a store that does not answer.
    private static func sending(_ request: CallRequest) -> Duration {
        .seconds((request.flowingBody?.count ?? request.body?.count ?? 0) >> 20)
    }

    private func look(at number: Int, after pause: Duration) {
        let seconds = pause / .milliseconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(seconds))) {
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
