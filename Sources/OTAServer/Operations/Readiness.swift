import ServiceLifecycle
import Store
import Synchronization

/// Whether a load balancer should send requests to this server.
final class Readiness: Service {
    private let following: (any ChangeFollowing)?
    let duties: Duties
    /// How long the server keeps answering after it was asked to stop.
    private let drainTime: Duration
    private let isStopping = Mutex(false)

    /// Several times the interval between two checks for changes; a store that is silent for longer is
    /// unreachable.
    static let longestSilence = Duration.seconds(5)

    init(_ following: (any ChangeFollowing)?, _ duties: Duties, drainTime: Duration) {
        self.following = following
        self.duties = duties
        self.drainTime = drainTime
    }

    /// Why requests should go to another server; nil if this one accepts them.
    var obstacle: String? {
        if isStopping.withLock({ $0 }) { return "this server is stopping" }
        guard let silence = following?.silence, silence > Self.longestSilence else { return nil }
        return "the store has not answered for \(silence.components.seconds) seconds"
    }

    /// Keeps the ports open for a while after the server was asked to stop, so that a load balancer notices
    /// before a request is refused.
    func run() async throws {
        try? await gracefulShutdown()
        isStopping.withLock { $0 = true }
        // The time only ends early if the whole server is cancelled.
        try? await Task.sleep(for: drainTime)
    }
}
