import Dispatch

/// Work that takes long, one piece after the other, so that many tests at once do not keep each
/// other's servers from answering.
enum HeavyWork {
    private static let queue = DispatchQueue(label: "heavy work of tests")

    static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
