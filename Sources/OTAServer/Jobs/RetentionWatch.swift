import Foundation
import Logging
import NIOPosix
import Publishing
import Releases
import ServiceLifecycle
import Store
import Synchronization

/// Applies the retention rules of apps once a day, while the server runs and is the leader.
///
/// The date of the last run and what an interrupted run began are in the store. Every write checks the
/// lease, so that none follows the writes of its next holder.
final class RetentionWatch: Service {
    private let store: OTAStore
    private let follower: ActivityFollower
    private let duties: Duties
    private let clock: @Sendable () -> Date
    private let logger: Logger
    /// The last problem that was logged; nil if there is none.
    private let complaint = Mutex<String?>(nil)
    /// When the store is checked next: a beat also comes with each activity.
    private let next = Mutex(ContinuousClock.now)

    private static let beat = Duration.seconds(60)
    /// The pause after a failure; each attempt reads every document of the store.
    private static let patience = Duration.seconds(3600)

    init(
        store: OTAStore,
        follower: ActivityFollower,
        duties: Duties,
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
    ) {
        self.store = store
        self.follower = follower
        self.duties = duties
        self.clock = clock
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await self.look()
            for await _ in self.follower.beats(every: Self.beat)
            where self.next.withLock({ $0 <= .now }) {
                await self.look()
            }
        }
    }

    private func look() async {
        guard let lease = duties.lease else { return }
        next.withLock { $0 = .now + Self.beat }
        do {
            let (store, now) = (store.fenced(by: lease), clock())
            let outcomes = try await NIOThreadPool.singleton.runIfActive {
                try store.applyDueRetention(at: now)
            }
            for outcome in outcomes ?? [] {
                logger.notice(
                    "releases were removed by rules",
                    metadata: [
                        "app": "\(outcome.plan.app)", "releases": "\(outcome.removed.count)",
                        "bytes": "\(outcome.freed)",
                    ],
                )
            }
            complaint.withLock { $0 = nil }
        } catch StoreFailure.leaseLost {
            // Another server continues.
        } catch {
            next.withLock { $0 = .now + Self.patience }
            complain("\(error)")
        }
    }

    /// Logs a problem, and not again while it stays the same.
    private func complain(_ reason: String) {
        guard !Task.isCancelled else { return }
        let isNew = complaint.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNew { logger.error("rules cannot be applied", metadata: ["reason": "\(reason)"]) }
    }
}
