import Dispatch
import Foundation

/// Stops work in an orderly way when the user presses Ctrl-C: a build must not continue without its
/// command.
enum Interruption {
    /// Cancels `body` on SIGINT and SIGTERM, and waits until it has ended.
    static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        defer {
            for source in sources { source.cancel() }
            for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) }
        }
        return try await task.value
    }
}
