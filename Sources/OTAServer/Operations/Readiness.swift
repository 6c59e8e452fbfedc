import ServiceLifecycle
import Store
import Synchronization

/// Whether a balancer should send this server requests.
final class Readiness: Service {
    private let following: (any ChangeFollowing)?
    let duties: Duties
    /// For how long the server answers after it was asked to stop.
    private let drainTime: Duration
    private let isStopping = Mutex(false)

    /// Between two looks for changes, several of them: a store that is silent for longer is out of reach.
    private static let longestSilence = Duration.seconds(5)

    init(_ following: (any ChangeFollowing)?, _ duties: Duties, drainTime: Duration) {
        self.following = following
        self.duties = duties
        self.drainTime = drainTime
    }

    /// Why requests should go to another server; nil where they are welcome.
    var obstacle: String? {
        if isStopping.withLock({ $0 }) { return "this server is stopping" }
        guard let silence = following?.silence, silence > Self.longestSilence else { return nil }
        return "the store has not answered for \(silence.components.seconds) seconds"
    }

    /// Keeps the ports open for a while after the server was asked to stop, so that a balancer learns of
    /// it before a request is refused.
    func run() async throws {
        try? await gracefulShutdown()
        isStopping.withLock { $0 = true }
        // The time ends early only where the whole server is cancelled.
        try? await Task.sleep(for: drainTime)
    }
}
