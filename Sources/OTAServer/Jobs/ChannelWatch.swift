import Foundation
import Logging
import NIOPosix
import Publishing
import Releases
import ServiceLifecycle
import Store
import Synchronization

/// Ends channels whose end has passed, while the server runs.
///
/// The ends are in the records of apps, and each check compares them with the clock: neither a restart nor
/// a clock change skips any. A check reads each app's record once.
final class ChannelWatch: Service {
    private let store: OTAStore
    private let follower: ActivityFollower
    private let duties: Duties
    private let clock: @Sendable () -> Date
    private let logger: Logger
    /// The last problem that was logged; nil if there is none.
    private let complaint = Mutex<String?>(nil)

    private static let beat = Duration.seconds(1)

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
            for await _ in self.follower.beats(every: Self.beat) { await self.look() }
        }
    }

    private func look() async {
        guard duties.lease != nil else { return }
        do {
            let (store, now) = (store, clock())
            let ended = try await NIOThreadPool.singleton.runIfActive {
                try store.endDueChannels(at: now)
            }
            for (app, ending) in ended {
                logger.info(
                    "a channel has ended",
                    metadata: [
                        "app": "\(app.bundleIdentifier)", "channel": "\(ending.channel)",
                        "releases": "\(ending.withdrawn.count)",
                    ],
                )
            }
            complaint.withLock { $0 = nil }
        } catch {
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
        if isNew { logger.error("channels cannot be ended", metadata: ["reason": "\(reason)"]) }
    }
}
