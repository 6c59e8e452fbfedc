import Dispatch

/// Serialises work that takes long, so that concurrent tests do not starve each other's servers.
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
