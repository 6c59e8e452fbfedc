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
    ///   - courier: brings it there.
    ///   - date: the present.
    /// - Returns: how it went.
    /// - Throws: ``StoreFailure``; what keeps the test from arriving is no error.
    package func tryOut(
        _ webhook: Webhook,
        by actor: String,
        with courier: Courier,
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
        let attempt = await courier.attempt(delivery, to: webhook)
        let record = DeliveryRecord(delivery, attempt, attempts: 1)
        try changeNotices { $0.outbox.add(record) }
        return record
    }
}
