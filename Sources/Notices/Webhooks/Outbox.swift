package import Foundation

/// The queue of deliveries, and the results of recent ones.
package struct Outbox: Codable, Sendable, Equatable {
    /// The number of deliveries that may be queued for one webhook; beyond that the oldest is dropped.
    package static let longestQueue = 200
    /// The number of ended deliveries that are kept for each webhook.
    package static let longestLog = 20

    /// Queued deliveries, oldest first.
    package private(set) var waiting: [Delivery] = []
    /// Ended deliveries, oldest first.
    package private(set) var log: [DeliveryRecord] = []
    /// Webhooks whose last attempt failed; absent in documents of earlier versions.
    private var failing: [String: WebhookFailure]?

    package init() {}

    /// Nil if the last attempt succeeded, and before the first.
    package func failure(of webhook: String) -> WebhookFailure? { failing?[webhook] }

    /// In the Prometheus text format.
    package var metrics: String {
        """
        # HELP ota_webhooks_failing Webhooks whose last attempt failed.
        # TYPE ota_webhooks_failing gauge
        ota_webhooks_failing \(failing?.count ?? 0)
        # HELP ota_deliveries_waiting Messages that wait to be delivered to a webhook.
        # TYPE ota_deliveries_waiting gauge
        ota_deliveries_waiting \(waiting.count)

        """
    }

    /// When the next attempt for a webhook may be made; nil if nothing is queued for it.
    package func nextAttempt(for webhook: String) -> Date? {
        waiting.filter { $0.webhook == webhook }.map(\.next).min()
    }

    /// Records the result of the last attempt for a webhook.
    mutating func note(_ attempt: DeliveryAttempt, for webhook: String) {
        var all = failing ?? [:]
        all[webhook] =
            attempt.isDelivered
            ? nil
            : WebhookFailure(
                since: min(all[webhook]?.since ?? attempt.date, attempt.date),
                last: attempt.date,
                status: attempt.status,
                reason: attempt.reason ?? "",
            )
        failing = all.isEmpty ? nil : all
    }

    /// Makes all queued deliveries of a webhook due now, as if none had been attempted before.
    ///
    /// - Returns: the number of deliveries.
    @discardableResult
    mutating func retry(_ webhook: String, at date: Date) -> Int {
        var count = 0
        for index in waiting.indices where waiting[index].webhook == webhook {
            waiting[index].attempts = 0
            waiting[index].next = date
            count += 1
        }
        return count
    }

    /// Queues a notice for each webhook that asked for it.
    ///
    /// - Parameters:
    ///   - notice: the notice.
    ///   - webhooks: all webhooks.
    ///   - date: the current time.
    ///   - random: generates the deliveries' identifiers.
    mutating func add(
        _ notice: Notice,
        for webhooks: [Webhook],
        at date: Date,
        random: (Int) -> [UInt8],
    ) {
        for webhook in webhooks where webhook.wants(notice) {
            let queued = waiting.filter { $0.webhook == webhook.identifier }
            if queued.count >= Self.longestQueue, let oldest = queued.first {
                end(oldest.identifier, DeliveryRecord(oldest, dropped: date))
            }
            waiting.append(Delivery(of: notice, to: webhook, at: date, random: random))
        }
    }

    package subscript(identifier: String) -> Delivery? {
        waiting.first { $0.identifier == identifier }
    }

    /// The next delivery to each webhook for which one is due at `date`.
    func due(at date: Date, policy: DeliveryPolicy) -> [Delivery] {
        var seen: Set<String> = []
        return waiting.filter { delivery in
            delivery.isDue(at: date, policy: policy) && seen.insert(delivery.webhook).inserted
        }
    }

    /// Records that an attempt begins, and when the next one may be made if this one never ends.
    ///
    /// - Returns: false if another process has begun it, or the delivery is over.
    mutating func begin(_ delivery: Delivery, until next: Date) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.identifier == delivery.identifier }),
            waiting[index].attempts == delivery.attempts
        else { return false }
        waiting[index].attempts += 1
        waiting[index].next = next
        return true
    }

    /// Records that an attempt failed and another will be made.
    mutating func postpone(_ identifier: String, until next: Date, because reason: String) {
        guard let index = waiting.firstIndex(where: { $0.identifier == identifier }) else { return }
        waiting[index].next = next
        waiting[index].failure = reason
    }

    /// Moves a delivery that has ended from the queue to the log.
    mutating func end(_ identifier: String, _ record: DeliveryRecord) {
        waiting.removeAll { $0.identifier == identifier }
        add(record)
    }

    /// Adds a result to the log; also used for a delivery that bypassed the queue, such as a test.
    mutating func add(_ record: DeliveryRecord) {
        log.append(record)
        let own = log.filter { $0.webhook == record.webhook }
        if own.count > Self.longestLog, let oldest = own.first,
            let index = log.firstIndex(of: oldest)
        {
            log.remove(at: index)
        }
    }

    /// Drops queued notices about a tester's feedback.
    mutating func drop(feedback identifier: String) {
        waiting.removeAll { $0.notice.feedback?.id == identifier }
    }

    /// Removes what belongs to webhooks that no longer exist.
    mutating func keepOnly(_ webhooks: [Webhook]) {
        let known = Set(webhooks.map(\.identifier))
        waiting.removeAll { !known.contains($0.webhook) }
        log.removeAll { !known.contains($0.webhook) }
        let kept = failing?.filter { known.contains($0.key) }
        failing = kept?.isEmpty == false ? kept : nil
    }
}
