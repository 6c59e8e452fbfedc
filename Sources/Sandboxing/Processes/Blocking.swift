import Dispatch

/// Runs work that blocks on the disk or the system on a thread that may block, and never on one of the
/// cooperative pool.
///
/// The work runs to its end, even if the task is cancelled.
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
