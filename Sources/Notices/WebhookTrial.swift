import Cryptography
package import Foundation
import Releases
package import Store

extension OTAStore {
    /// Sends a test to one webhook past the queue, once, and enters in the log how it went.
    ///
    /// - Parameters:
    ///   - webhook: whom to send to.
    ///   - actor: who tries.
    ///   - sender: brings it there.
    ///   - date: the present.
    /// - Returns: how it went.
    /// - Throws: ``StoreFailure``; what keeps the test from arriving is no error.
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
            // A receiver that takes the test again takes what waits for it as well.
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

    /// Lets everything that waits for a webhook be sent now; a running server does it within a second.
    ///
    /// - Returns: how many deliveries that are.
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
