import Bundles
import Cryptography
package import Foundation
import Identifiers
package import Logging
import NIOPosix
package import Releases
import ServiceLifecycle
package import Store
import Synchronization

/// Sends the notices of a store to its webhooks while a server runs.
///
/// Decisions and deliveries are recorded in the store, each step in one compare-and-swap: after a crash,
/// and with several processes at once, every notice is queued once, and an attempt whose end no process
/// recorded is repeated with the same identifier.
package final class NoticeService: Service {
    /// What the service needs from its environment.
    package struct Dependencies: Sendable {
        package var clock: @Sendable () -> Date
        package var random: @Sendable (Int) -> [UInt8] = randomBytes
        /// The server's links, read each time, because an admin may set the URL while the server runs.
        package var links: @Sendable () -> Links? = { nil }
        package var serverCertificate: @Sendable () -> ExpiryTimeline.ServerCertificate? = { nil }
        /// The damage to the store; nil if nothing checks it.
        package var damage: @Sendable () -> StoreDamage? = { nil }
        /// The lease that proves that no other server sends; nil while another one does.
        package var lease: @Sendable () -> (any WorkLease)? = { LastingLease() }
        /// The interval between two checks for changes without a journal entry, such as expirations; at
        /// least the follower's interval.
        package var interval: Duration = .seconds(1)
        /// Seconds for which the devices that a build lacks must stay the same before a notice is sent, so
        /// that approving a dozen one by one sends one notice.
        package var settling: TimeInterval = 60

        package init(clock: @escaping @Sendable () -> Date) {
            self.clock = clock
        }
    }

    struct State {
        /// Identifiers of webhooks for which an attempt is being made.
        var busy: Set<String> = []
        var lacking: [BundleIdentifier: (devices: String, since: Date)] = [:]
        /// The last message logged about something that cannot be read.
        var complaint: String?
        /// The state of the store when nothing in it required a notice.
        var quiet: NoticeCalm?
        /// Whether a notice waits only for its devices to stay the same.
        var isSettling = false
        /// How far the journals were processed beyond what the store records, if no one is notified.
        var dealtWith: DealtWith?
        /// When the store was last updated.
        var noted: Date?
    }

    struct DealtWith {
        /// The number of processed bytes of each journal.
        let journals: [String: Int]
        /// What the store recorded then; if this has changed, another server has sent in the meantime.
        let noted: [String: Int]?
    }

    let store: OTAStore
    private let follower: ActivityFollower
    let dependencies: Dependencies
    let policy: DeliveryPolicy
    let sender: WebhookSender
    let logger: Logger
    let state = Mutex(State())

    package init(
        store: OTAStore,
        follower: ActivityFollower,
        dependencies: Dependencies,
        policy: DeliveryPolicy,
        sender: WebhookSender,
        logger: Logger,
    ) {
        self.store = store
        self.follower = follower
        self.dependencies = dependencies
        self.policy = policy
        self.sender = sender
        self.logger = logger
    }

    /// Checks and sends until the server stops; attempts in progress are completed.
    package func run() async throws {
        let (deliveries, found) = AsyncStream.makeStream(of: (Delivery, Webhook).self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await cancelWhenGracefulShutdown {
                    await self.look(found)
                    for await _ in self.follower.beats(every: self.dependencies.interval) {
                        await self.look(found)
                    }
                }
                found.finish()
            }
            for await (delivery, webhook) in deliveries {
                group.addTask { await self.deliverQueue(from: delivery, to: webhook) }
            }
        }
    }

    private func look(
        _ found: AsyncStream<(Delivery, Webhook)>.Continuation
    ) async {
        guard dependencies.lease() != nil else { return }
        do {
            let due = try await NIOThreadPool.singleton.runIfActive {
                try self.announce()
                return try self.take()
            }
            for (delivery, webhook) in due { found.yield((delivery, webhook)) }
            state.withLock { $0.complaint = nil }
        } catch is CancellationError {
            // The server is stopping.
        } catch {
            complain("\(error)")
        }
    }

    /// Logs a problem, and not again while it stays the same.
    func complain(_ reason: String) {
        let isNew = state.withLock { state in
            defer { state.complaint = reason }
            return state.complaint != reason
        }
        guard isNew else { return }
        logger.error("messages for webhooks cannot be created", metadata: ["reason": "\(reason)"])
    }

    // MARK: Deciding

    /// Queues the due notices; writes only if there are any.
    package func announce() throws {
        let date = dependencies.clock()
        try announceDamage(at: date)
        // Taken before anything is read, so that a change in the meantime is processed the next time.
        let certificate = dependencies.serverCertificate()
        let calm = try NoticeCalm(of: store, serverCertificate: certificate, at: date)
        if let calm, state.withLock({ $0.quiet.map(calm.isStill) ?? false }) { return }
        state.withLock {
            $0.quiet = nil
            $0.isSettling = false
        }
        let snapshot = try NoticeSnapshot(
            of: store,
            serverCertificate: certificate,
            at: date,
        )
        let planner = NoticePlanner(
            snapshot: snapshot,
            links: dependencies.links(),
            date: date,
            clock: dependencies.clock,
            random: dependencies.random,
            isSettled: { app, devices in self.isSettled(app, devices, at: date) },
        )
        var before = try store.notices()
        let noted = before.journals
        let dealtWith = state.withLock(\.dealtWith)
        func apply(to ledger: inout NoticeLedger) {
            guard let dealtWith, ledger.journals == dealtWith.noted else { return }
            ledger.journals = dealtWith.journals
        }
        apply(to: &before)
        var after = before
        for failure in try planner.announce(in: &after) {
            logger.error(
                "a damaged line of the journal is skipped",
                metadata: ["reason": "\(failure)"],
            )
        }
        guard after != before else {
            return state.withLock { $0.quiet = $0.isSettling ? nil : calm }
        }
        if snapshot.webhooks.isEmpty, isOnlyDealtWith(after, before, noted: noted, at: date) {
            return state.withLock { $0.quiet = $0.isSettling ? nil : calm }
        }
        try change { ledger in
            apply(to: &ledger)
            _ = try planner.announce(in: &ledger)
        }
        state.withLock { state in
            state.dealtWith = nil
            state.noted = date
        }
    }

    /// Remembers how far the journals were processed, if nothing else has changed and no one is notified:
    /// this saves a store elsewhere one change per journal entry.
    ///
    /// - Returns: false if this must be written to the store.
    private func isOnlyDealtWith(
        _ after: NoticeLedger,
        _ before: NoticeLedger,
        noted: [String: Int]?,
        at date: Date,
    ) -> Bool {
        var same = after
        same.journals = before.journals
        guard store.isElsewhere, before.journals != nil, same == before else { return false }
        return state.withLock { state in
            if let noted = state.noted, abs(date.timeIntervalSince(noted)) > Self.longestUnnoted {
                return false
            }
            state.noted = state.noted ?? date
            state.dealtWith = after.journals.map { DealtWith(journals: $0, noted: noted) }
            return true
        }
    }

    /// Seconds after which the store is updated; a server that takes over begins where the store's record
    /// ends.
    private static let longestUnnoted: TimeInterval = 300

    /// Reads only the webhooks and the ledger, because other documents may be damaged.
    private func announceDamage(at date: Date) throws {
        guard let damage = dependencies.damage() else { return }
        let planner = DamagePlanner(
            damage: damage,
            webhooks: try store.webhooks().webhooks,
            links: dependencies.links(),
            date: date,
            random: dependencies.random,
        )
        let before = try store.notices()
        var after = before
        planner.announce(in: &after)
        if after != before { try change { planner.announce(in: &$0) } }
    }

    /// Changes the ledger, unless another server is sending.
    ///
    /// The lease is checked between reading the ledger and writing it conditionally, so that this cannot
    /// overwrite what the next sender writes.
    func change(_ change: (inout NoticeLedger) throws -> Void) throws {
        try store.changeNotices { ledger in
            guard dependencies.lease() != nil else { throw StoreFailure.leaseLost }
            try change(&ledger)
        }
    }

    private func isSettled(_ app: BundleIdentifier, _ devices: String, at date: Date) -> Bool {
        state.withLock { state in
            guard let seen = state.lacking[app], seen.devices == devices else {
                state.lacking[app] = (devices, date)
                state.isSettling = true
                return dependencies.settling <= 0
            }
            let isSettled = abs(date.timeIntervalSince(seen.since)) >= dependencies.settling
            if !isSettled { state.isSettling = true }
            return isSettled
        }
    }
}
