import HTTPCalling
@testable import S3
import Synchronization

/// A connection to a store that tests can cut, and that can lose and count responses.
final class FaultyLine: BlockingCallTransport {
    struct State {
        /// Whether all requests fail.
        var isCut = false
        /// The number of next conditional writes that are performed without a response.
        var answersToLose = 0
        var sent = 0
        /// Called with the method and URL of each request before it is sent; if it throws, there is no
        /// response.
        var before: (@Sendable (_ method: String, _ address: String) throws(CallTrouble) -> Void)?
        /// The same after the response has arrived.
        var after: (@Sendable (_ method: String, _ address: String) throws(CallTrouble) -> Void)?
        /// Called before each deletion of a blob.
        var beforeDeletion: (@Sendable () -> Void)?
    }

    private let inner: any BlockingCallTransport
    private let state = Mutex(State())

    init(_ inner: any BlockingCallTransport) {
        self.inner = inner
    }

    /// The number of requests that were sent.
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
