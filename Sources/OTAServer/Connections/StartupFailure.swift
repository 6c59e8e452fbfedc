import Synchronization

/// Why a server that has its ports cannot answer: it ends, instead of refusing every request for ever.
final class StartupFailure: Sendable {
    /// Ends the server.
    let signal = StopSignal()
    private let reason = Mutex<(any Error)?>(nil)

    func end(with error: any Error) {
        reason.withLock { $0 = error }
        signal.stop()
    }

    /// Throws what has ended the server.
    func check() throws {
        if let error = reason.withLock({ $0 }) { throw error }
    }
}
