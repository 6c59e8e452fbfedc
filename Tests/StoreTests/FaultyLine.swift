import HTTPCalling
@testable import S3
import Synchronization

/// A line to a store that tests cut, and on which answers are lost and counted.
final class FaultyLine: BlockingCallTransport {
    struct State {
        /// Nothing comes through any more.
        var isCut = false
        /// So many of the next conditional writes are done without an answer.
        var answersToLose = 0
        var sent = 0
        /// Is told the method and address of each request before it is sent; one that throws has no answer.
        var before: (@Sendable (_ method: String, _ address: String) throws(CallTrouble) -> Void)?
        /// The same once it has been answered.
        var after: (@Sendable (_ method: String, _ address: String) throws(CallTrouble) -> Void)?
        /// Is called before each deletion of a blob.
        var beforeDeletion: (@Sendable () -> Void)?
    }

    private let inner: any BlockingCallTransport
    private let state = Mutex(State())

    init(_ inner: any BlockingCallTransport) {
        self.inner = inner
    }

    /// Requests that came through.
    var sent: Int { state.withLock(\.sent) }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func waitForAnswer(to request: CallRequest) throws(CallTrouble) -> CallAnswer {
        let isCut = state.withLock { state in
            if !state.isCut { state.sent += 1 }
            return state.isCut
        }
        guard !isCut else { throw .unreachable(reason: "the line is cut") }
        if request.method == "DELETE", request.address.contains("/blobs/") {
            state.withLock(\.beforeDeletion)?()
        }
        let (before, after) = state.withLock { ($0.before, $0.after) }
        try before?(request.method, request.address)
        let answer = try inner.waitForAnswer(to: request)
        try after?(request.method, request.address)
        let isConditional =
            request.headers["if-match"] != nil || request.headers["if-none-match"] == "*"
        let isLost = state.withLock { state in
            guard request.method == "PUT", isConditional, state.answersToLose > 0 else {
                return false
            }
            state.answersToLose -= 1
            return true
        }
        if isLost { throw .unreachable(reason: "the answer was lost") }
        return answer
    }
}
