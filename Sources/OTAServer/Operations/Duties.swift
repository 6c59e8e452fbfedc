import Logging
import NIOPosix
import ServiceLifecycle
import Store
import Synchronization

/// What servers on one store do once, as leases name it.
package enum SharedWork {
    /// The lease whose holder is the leader.
    package static let duties = "duties"
}

/// Whether this server does what is done once, however many servers share the store: it sends notices,
/// ends channels, applies rules, plans the upkeep of teams and reads every blob.
///
/// On a store of this machine there is one server, which always does. Others hold a lease: a server that stalls
/// or dies loses it, and another server continues after a few seconds.
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

    /// Between two looks whether the lease is to be had, or is still held.
    private static let interval = Duration.seconds(3)
    private static let work = SharedWork.duties

    /// - Parameters:
    ///   - store: whose duties.
    ///   - lease: says whether this is the only server on the store; nil where there may be more.
    ///   - logger: where it is said which server has them.
    init(_ store: OTAStore, as lease: (any ServerLease)?, logger: Logger) {
        self.store = store
        isShared = lease?.isOnlyServer != true
        self.logger = logger
        state = Mutex(isShared ? .elsewhere : .held(LastingLease()))
    }

    /// What a writer of this work asks before each write; nil while another server has the duties.
    var lease: (any WorkLease)? {
        guard case .held(let lease) = state.withLock({ $0 }), lease.isHeld else { return nil }
        return lease
    }

    /// What `/readyz` says of them; nil where there is one server.
    var words: String? {
        guard isShared else { return nil }
        guard let lease else { return "another server is the leader" }
        return "this server is the leader, claim \(lease.fence ?? 0)"
    }

    func run() async throws {
        guard isShared else {
            // Cancelled where the time to stop runs out, which is not a failure.
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.look()
                try? await Task.sleep(for: Self.interval)
            }
        }
        // The next server need not wait until the lease has expired.
        try await NIOThreadPool.singleton.runIfActive { self.giveUp() }
    }

    /// Asks the store, so not while anybody waits for the lock.
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
                // What is lost is given up before it is claimed again.
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
            // The store does not answer, which `/readyz` and the log say already.
            logger.debug("duties cannot be claimed", metadata: ["reason": "\(error)"])
        }
    }
}
