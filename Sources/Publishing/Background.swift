import Bytes
import Dispatch
import Synchronization

/// Reading and hashing on another thread, whose result the caller waits for later.
final class Background<Value: Sendable>: Sendable {
    private let group = DispatchGroup()
    private let outcome = Mutex<Result<Value, SourceFailure>?>(nil)

    /// Begins `work` on another thread at once.
    init(_ work: @escaping @Sendable () throws(SourceFailure) -> Value) {
        DispatchQueue.global(qos: .userInitiated).async(group: group) { [self] in
            let result = Result { () throws(SourceFailure) in try work() }
            outcome.withLock { $0 = result }
        }
    }

    /// Returns the result, once it exists.
    func wait() -> Result<Value, SourceFailure> {
        group.wait()
        let unfinished = SourceFailure(offset: 0, reason: "reading did not finish")
        return outcome.withLock { $0 } ?? .failure(unfinished)
    }
}
