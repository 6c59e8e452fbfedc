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

/// Sends the notices of a store to its webhooks, for as long as a server runs.
///
/// What is decided and what was sent is in the store, each step in one compare-and-swap: after a
/// crash, and with several processes at once, every notice is queued once, and an attempt whose end
/// no process recorded is repeated with the same identifier.
package final class NoticeService: Service {
    /// What it takes from its surroundings.
    package struct Dependencies: Sendable {
        package var clock: @Sendable () -> Date
        package var random: @Sendable (Int) -> [UInt8] = randomBytes
        /// Where the server is reached; asked each time, because an admin may set the URL while the
        /// server runs.
        package var links: @Sendable () -> Links? = { nil }
        package var serverCertificate: @Sendable () -> ExpiryTimeline.ServerCertificate? = { nil }
        /// What is wrong with the store; nil where nobody looks.
        package var damage: @Sendable () -> StoreDamage? = { nil }
        /// What proves that no other server sends; nil while another one does.
        package var lease: @Sendable () -> (any WorkLease)? = { LastingLease() }
        /// Between two checks for changes without a line in a journal, such as expirations; the
        /// follower's interval is the least.
        package var interval: Duration = .seconds(1)
        /// Seconds for which the devices that a build lacks must stay the same before a notice is
        /// sent, so that approving a dozen one by one sends one notice.
        package var settling: TimeInterval = 60

        package init(clock: @escaping @Sendable () -> Date) {
            self.clock = clock
        }
    }

    private struct State {
        /// Webhooks that an attempt is being made for.
        var busy: Set<String> = []
        var lacking: [BundleIdentifier: (devices: String, since: Date)] = [:]
        /// What was last said of something that cannot be read.
        var complaint: String?
        /// What the store was like when nothing in it called for a notice.
        var quiet: NoticeCalm?
        /// Whether a notice waits only for its devices to stay the same.
        var isSettling = false
        /// Bytes of each journal that are dealt with beyond what the store says, where nobody is told
        /// anything.
        var dealtWith: [String: Int]?
        /// When the store was told last.
        var noted: Date?
    }

    private let store: OTAStore
    private let follower: ActivityFollower
    private let dependencies: Dependencies
    private let policy: DeliveryPolicy
    private let sender: WebhookSender
    private let logger: Logger
    private let state = Mutex(State())

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

    /// Checks and sends until the server stops; attempts under way end by themselves.
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
                group.addTask { await self.deliver(delivery, to: webhook) }
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
            // The server stops.
        } catch {
            complain("\(error)")
        }
    }

    /// Logs a problem once, and not again while it stays the same.
    private func complain(_ reason: String) {
        let isNew = state.withLock { state in
            defer { state.complaint = reason }
            return state.complaint != reason
        }
        if isNew { logger.error("notices cannot be created", metadata: ["reason": "\(reason)"]) }
    }

    // MARK: Deciding

    /// Queues the notices that are due; writes only when there are any.
    package func announce() throws {
        let date = dependencies.clock()
        try announceDamage(at: date)
        // As it is before anything is read: what changes meanwhile is dealt with at the next look.
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
        let dealtWith = state.withLock(\.dealtWith)
        if let dealtWith { before.journals = dealtWith }
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
        if snapshot.webhooks.isEmpty, isOnlyDealtWith(after, before, at: date) {
            return state.withLock { $0.quiet = $0.isSettling ? nil : calm }
        }
        try change { ledger in
            if let dealtWith { ledger.journals = dealtWith }
            _ = try planner.announce(in: &ledger)
        }
        state.withLock { state in
            state.dealtWith = nil
            state.noted = date
        }
    }

    /// Keeps in mind how far the journals are dealt with, where nothing else has changed and nobody is told:
    /// a store elsewhere is spared a change for each line.
    ///
    /// - Returns: false where the store is to be told.
    private func isOnlyDealtWith(
        _ after: NoticeLedger,
        _ before: NoticeLedger,
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
            state.dealtWith = after.journals
            return true
        }
    }

    /// Seconds; a server that takes over begins where the store says.
    private static let longestUnnoted: TimeInterval = 300

    /// Needs no more of the store than the webhooks and the ledger.
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

    /// Changes the ledger, unless another server sends meanwhile.
    ///
    /// That is asked between reading the ledger and writing it on the condition that it is still the same,
    /// so that nothing comes behind what the next sender writes.
    private func change(_ change: (inout NoticeLedger) throws -> Void) throws {
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

    // MARK: Sending

    /// Begins what is due, one attempt for each webhook at a time: a slow receiver delays no other.
    ///
    /// What is queued for a webhook that takes no deliveries now stays in the queue.
    package func take() throws -> [(Delivery, Webhook)] {
        let date = dependencies.clock()
        let webhooks = try store.webhooks()
        let busy = state.withLock { $0.busy }
        let due = try store.notices().outbox.due(at: date, policy: policy)
            .filter { !busy.contains($0.webhook) && webhooks[$0.webhook]?.takesDeliveries != false }
            .prefix(max(policy.attemptsAtOnce - busy.count, 0))
        var begun: [(Delivery, Webhook)] = []
        for delivery in due {
            guard let webhook = webhooks[delivery.webhook] else { continue }
            do {
                guard try begin(delivery, to: webhook, at: date) else { continue }
            } catch  where !begun.isEmpty {
                // The attempts that were begun must be made; the next check meets the failure
                // again.
                return begun
            }
            state.withLock { _ = $0.busy.insert(webhook.identifier) }
            begun.append((delivery, webhook))
        }
        return begun
    }

    /// - Returns: false when another process has begun it, or it is over.
    private func begin(
        _ delivery: Delivery,
        to webhook: Webhook,
        at date: Date,
    ) throws -> Bool {
        let pause = policy.pause(after: delivery.attempts + 1, random: dependencies.random)
        var isBegun = false
        try change {
            isBegun = $0.outbox.begin(
                delivery,
                until: date.addingTimeInterval(
                    max(pause, Self.longestAttempt(policy, isMail: webhook.url.isMail))
                ),
            )
        }
        return isBegun
    }

    /// Seconds after which an attempt whose end no process recorded is repeated at the earliest.
    private static func longestAttempt(_ policy: DeliveryPolicy, isMail: Bool) -> TimeInterval {
        let time = isMail ? policy.mailTimeout : policy.timeout
        return TimeInterval((time + policy.connectTimeout).components.seconds) + policy.grace
    }

    /// Makes one attempt that ``take()`` began, and notes how it went.
    package func deliver(_ delivery: Delivery, to webhook: Webhook) async {
        defer { state.withLock { _ = $0.busy.remove(webhook.identifier) } }
        // An attempt that was begun, and is not made, is made by the next sender.
        guard dependencies.lease() != nil else { return }
        let begun = delivery.begun
        let attempt = await sender.attempt(begun, to: webhook)
        do {
            try await NIOThreadPool.singleton.runIfActive { try self.note(attempt, of: begun) }
        } catch {
            complain("\(error)")
        }
    }

    private func note(_ attempt: DeliveryAttempt, of delivery: Delivery) throws {
        let isOver =
            attempt.isDelivered || attempt.isHopeless || delivery.attempts >= policy.mostAttempts
        try store.changeNotices { ledger in
            guard ledger.outbox[delivery.identifier] != nil else { return }
            ledger.outbox.note(attempt, for: delivery.webhook)
            guard !isOver else {
                let record = DeliveryRecord(delivery, attempt, attempts: delivery.attempts)
                ledger.outbox.end(delivery.identifier, record)
                return
            }
            let pause = policy.pause(after: delivery.attempts, random: dependencies.random)
            ledger.outbox.postpone(
                delivery.identifier,
                until: attempt.date.addingTimeInterval(max(pause, attempt.retryAfter ?? 0)),
                because: attempt.reason ?? "",
            )
        }
        guard !attempt.isDelivered else { return }
        logger.warning(
            isOver ? "a notice is given up" : "a notice was not delivered",
            metadata: [
                "webhook": "\(delivery.webhook)", "delivery": "\(delivery.identifier)",
                "attempt": "\(delivery.attempts)", "reason": "\(attempt.reason ?? "")",
            ],
        )
    }
}
