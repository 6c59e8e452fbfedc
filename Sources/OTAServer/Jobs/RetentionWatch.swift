import Foundation
import Logging
import NIOPosix
import Publishing
import Releases
import ServiceLifecycle
import Store
import Synchronization

/// Applies the rules of apps once a day, for as long as the server runs and has the duties.
///
/// When they were applied last, and what an interrupted run began, is in the store; every write asks for the
/// lease, so that nothing comes behind what the next holder writes.
final class RetentionWatch: Service {
    private let store: OTAStore
    private let follower: ActivityFollower
    private let duties: Duties
    private let clock: @Sendable () -> Date
    private let logger: Logger
    /// The problem that was logged last; nil if there is none.
    private let complaint = Mutex<String?>(nil)
    /// Before it nothing is looked for: a beat comes with each activity too.
    private let next = Mutex(ContinuousClock.now)

    private static let beat = Duration.seconds(60)
    /// After a failure; each attempt reads every document of the store.
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

    /// Logs a problem once, and not again while it stays the same.
    private func complain(_ reason: String) {
        guard !Task.isCancelled else { return }
        let isNew = complaint.withLock { last in
            defer { last = reason }
            return last != reason
        }
        if isNew { logger.error("rules cannot be applied", metadata: ["reason": "\(reason)"]) }
    }
}
