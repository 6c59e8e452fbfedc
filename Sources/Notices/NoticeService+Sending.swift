import Foundation
import Logging
import NIOPosix
import Releases
import ServiceLifecycle
import Store
import Synchronization

/// Each attempt is recorded in the store before it is made, and again when it has ended.
extension NoticeService {
    /// Begins the due attempts, one for each webhook at a time: a slow receiver delays no other.
    ///
    /// Deliveries to a webhook that accepts none at the moment stay in the queue.
    ///
    /// - Parameter only: the webhook's identifier; nil for all webhooks.
    /// - Returns: the attempts that were begun, which must then be made.
    /// - Throws: `StoreFailure`.
    package func take(only: String? = nil) throws -> [(Delivery, Webhook)] {
        let date = dependencies.clock()
        let webhooks = try store.webhooks()
        let busy = state.withLock { $0.busy }
        let due = try store.notices().outbox.due(at: date, policy: policy)
            .filter { only == nil || $0.webhook == only }
            .filter { !busy.contains($0.webhook) && webhooks[$0.webhook]?.takesDeliveries != false }
            .prefix(max(policy.attemptsAtOnce - busy.count, 0))
        var begun: [(Delivery, Webhook)] = []
        for delivery in due {
            guard let webhook = webhooks[delivery.webhook] else { continue }
            do {
                guard try begin(delivery, to: webhook, at: date) else { continue }
            } catch  where !begun.isEmpty {
                // The attempts that were begun must be made; the next check will run into the failure
                // again.
                return begun
            }
            state.withLock { _ = $0.busy.insert(webhook.identifier) }
            begun.append((delivery, webhook))
        }
        return begun
    }

    /// - Returns: false if another process has begun the attempt, or the delivery is over.
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

    /// Makes an attempt that ``take(only:)`` began, and then the others that are queued for the webhook
    /// while it accepts them.
    ///
    /// With one message a beat, many events in a row would push the oldest out of the queue.
    package func deliverQueue(from delivery: Delivery, to webhook: Webhook) async {
        var next: (Delivery, Webhook)? = (delivery, webhook)
        while let (delivery, webhook) = next {
            guard await deliver(delivery, to: webhook), !Task.isShuttingDownGracefully,
                dependencies.lease() != nil
            else { return }
            // If the store cannot be read, the next beat will run into that again.
            next = try? await NIOThreadPool.singleton.runIfActive {
                try self.take(only: webhook.identifier).first
            }
        }
    }

    /// Makes one attempt that ``take(only:)`` began, and records its result.
    ///
    /// - Parameters:
    ///   - delivery: the delivery as it was queued.
    ///   - webhook: the webhook that receives it.
    /// - Returns: whether it was delivered and that was recorded.
    @discardableResult
    package func deliver(_ delivery: Delivery, to webhook: Webhook) async -> Bool {
        defer { state.withLock { _ = $0.busy.remove(webhook.identifier) } }
        // An attempt that was begun but not made is made by the next sender.
        guard dependencies.lease() != nil else { return false }
        let begun = delivery.begun
        let attempt = await sender.attempt(begun, to: webhook)
        do {
            try await NIOThreadPool.singleton.runIfActive { try self.note(attempt, of: begun) }
            return attempt.isDelivered
        } catch {
            complain("\(error)")
            return false
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
            isOver
                ? "a message was given up after its last attempt" : "a message was not delivered",
            metadata: [
                "webhook": "\(delivery.webhook)", "delivery": "\(delivery.identifier)",
                "attempt": "\(delivery.attempts)", "reason": "\(attempt.reason ?? "")",
            ],
        )
    }
}
