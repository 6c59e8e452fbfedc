@testable import S3
import Synchronization

/// A line to a store that tests cut, and on which answers are lost and counted.
final class FaultyLine: S3Transport {
    struct State {
        /// Nothing comes through any more.
        var isCut = false
        /// So many of the next conditional writes are done without an answer.
        var answersToLose = 0
        var sent = 0
    }

    private let inner: any S3Transport
    private let state = Mutex(State())

    init(_ inner: any S3Transport) {
        self.inner = inner
    }

    /// Requests that came through.
    var sent: Int { state.withLock(\.sent) }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func send(_ request: S3Exchange.Outgoing) throws(S3Failure) -> S3Exchange.Answer {
        let isCut = state.withLock { state in
            if !state.isCut { state.sent += 1 }
            return state.isCut
        }
        guard !isCut else { throw .unreachable(host: "store.test", reason: "the line is cut") }
        let answer = try inner.send(request)
        let isConditional =
            request.headers["if-match"] != nil || request.headers["if-none-match"] == "*"
        let isLost = state.withLock { state in
            guard request.method == "PUT", isConditional, state.answersToLose > 0 else {
                return false
            }
            state.answersToLose -= 1
            return true
        }
        if isLost { throw .unreachable(host: "store.test", reason: "the answer was lost") }
        return answer
    }
}
