import Logging
import NIOPosix
import ServiceLifecycle
import Store
import Synchronization

/// The names of leases for work that only one of the servers on a store does.
package enum SharedWork {
    /// The lease whose holder is the leader.
    package static let duties = "duties"
}

/// Whether this server is the leader, which does the work that is done once however many servers share the
/// store: it sends notices, ends channels, applies rules, plans the upkeep of teams and reads every blob.
///
/// A store on this machine has one server, which is always the leader. On other stores the leader holds a
/// lease: a server that stalls or dies loses it, and another server continues after a few seconds.
final class Duties: Service {
    private enum State {
        case held(any WorkLease)
        case elsewhere
    }

    private let store: OTAStore
    /// Whether other servers may share the store.
    let isShared: Bool
    private let logger: Logger
    private let state: Mutex<State>

    /// The interval between two attempts to claim the lease, or to check that it is still held.
    private static let interval = Duration.seconds(3)
    private static let work = SharedWork.duties

    /// - Parameters:
    ///   - store: the store.
    ///   - lease: tells whether this is the only server on the store; nil if there may be more.
    ///   - logger: logs which server is the leader.
    init(_ store: OTAStore, as lease: (any ServerLease)?, logger: Logger) {
        self.store = store
        isShared = lease?.isOnlyServer != true
        self.logger = logger
        state = Mutex(isShared ? .elsewhere : .held(LastingLease()))
    }

    /// The lease that this work checks before each write; nil while another server is the leader.
    var lease: (any WorkLease)? {
        guard case .held(let lease) = state.withLock({ $0 }), lease.isHeld else { return nil }
        return lease
    }

    /// The text for `/readyz`; nil if there is only one server.
    var words: String? {
        guard isShared else { return nil }
        guard let lease else { return "another server is the leader" }
        return "this server is the leader, claim \(lease.fence ?? 0)"
    }

    func run() async throws {
        guard isShared else {
            // It is cancelled if the time to stop runs out, which is not a failure.
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.look()
                try? await Task.sleep(for: Self.interval)
            }
        }
        // So that the next server need not wait until the lease has expired.
        try await NIOThreadPool.singleton.runIfActive { self.giveUp() }
    }

    /// Accesses the store, so it must not run while the lock is held.
    private func giveUp() {
        let last = state.withLock { state in
            defer { state = .elsewhere }
            return state
        }
        withExtendedLifetime(last) {}
    }

    private func look() async {
        guard lease == nil else { return }
        do {
            let store = store
            let lease = try await NIOThreadPool.singleton.runIfActive { [self] in
                // A lost lease is given up before it is claimed again.
                giveUp()
                return try store.backend.claim(Self.work)
            }
            guard let lease else { return }
            state.withLock { $0 = .held(lease) }
            logger.notice(
                "this server is the leader",
                metadata: ["claim": "\(lease.fence ?? 0)"],
            )
        } catch {
            // The store does not answer, which `/readyz` and the log already report.
            logger.debug("duties cannot be claimed", metadata: ["reason": "\(error)"])
        }
    }
}
