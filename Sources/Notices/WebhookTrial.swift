import Cryptography
package import Foundation
import Releases
package import Store

extension OTAStore {
    /// Sends a test to one webhook once, bypassing the queue, and records the result in the log.
    ///
    /// - Parameters:
    ///   - webhook: the webhook.
    ///   - actor: the user who sends the test.
    ///   - sender: sends it.
    ///   - date: the current time.
    /// - Returns: the result.
    /// - Throws: ``StoreFailure``; a failed delivery is not an error.
    package func tryOut(
        _ webhook: Webhook,
        by actor: String,
        with sender: WebhookSender,
        at date: Date,
    ) async throws -> DeliveryRecord {
        let writer = NoticeWriter(
            apps: [:],
            links: try settings().baseURL.map { Links(base: $0) },
            date: date,
            random: randomBytes,
        )
        let delivery = Delivery(
            of: writer.test(by: actor),
            to: webhook,
            at: date,
            random: randomBytes,
        ).begun
        let attempt = await sender.attempt(delivery, to: webhook)
        let record = DeliveryRecord(delivery, attempt, attempts: 1)
        try changeNotices { ledger in
            let wasFailing = ledger.outbox.failure(of: webhook.identifier) != nil
            ledger.outbox.add(record)
            ledger.outbox.note(attempt, for: webhook.identifier)
            // A receiver that accepts the test again will also accept what is queued for it.
            if wasFailing, attempt.isDelivered {
                ledger.outbox.retry(webhook.identifier, at: date)
            }
        }
        return record
    }

    /// Queues a test for one webhook; a running server sends it within a second.
    package func queueTest(to webhook: Webhook, by actor: String, at date: Date) throws {
        let writer = NoticeWriter(
            apps: [:],
            links: try settings().baseURL.map { Links(base: $0) },
            date: date,
            random: randomBytes,
        )
        try changeNotices {
            $0.outbox.add(writer.test(by: actor), for: [webhook], at: date, random: randomBytes)
        }
    }

    /// Makes everything that is queued for a webhook due now; a running server sends it within a second.
    ///
    /// - Returns: the number of deliveries.
    @discardableResult
    package func retryDeliveries(
        to webhook: String,
        at date: Date,
    ) throws -> Int {
        var count = 0
        try changeNotices { count = $0.outbox.retry(webhook, at: date) }
        return count
    }
}
