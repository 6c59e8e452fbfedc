import Synchronization

/// The error for which a server that has bound its ports cannot answer: it stops, instead of refusing every
/// request for ever.
final class StartupFailure: Sendable {
    /// Stops the server.
    let signal = StopSignal()
    private let reason = Mutex<(any Error)?>(nil)

    func end(with error: any Error) {
        reason.withLock { $0 = error }
        signal.stop()
    }

    /// Throws the error that stopped the server, if any.
    func check() throws {
        if let error = reason.withLock({ $0 }) { throw error }
    }
}
