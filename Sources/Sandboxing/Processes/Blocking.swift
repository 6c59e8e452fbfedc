import Dispatch

/// Does work that waits for the disk on a thread that may.
package func blocking<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
            continuation.resume(with: Swift.Result { try body() })
        }
    }
}
