import Dispatch

/// Does work that waits for the disk or the system on a thread that may wait, and never on one of the
/// cooperative pool.
///
/// The work is done to its end, also when the task is cancelled.
///
/// - Parameter body: the work.
/// - Returns: what the work returns.
/// - Throws: what the work throws.
package func blocking<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
    let result = await withCheckedContinuation {
        (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
        DispatchQueue.global(qos: .utility).async {
            continuation.resume(returning: Swift.Result(catching: body))
        }
    }
    return try result.get()
}
