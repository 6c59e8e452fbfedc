package import APIDocuments
import Bundles
import Identifiers
package import Notices
import Releases

extension FailingDocument {
    init(_ failure: WebhookFailure) {
        self.init(
            since: failure.since,
            last: failure.last,
            status: failure.status,
            reason: failure.reason,
        )
    }
}

extension DeliveryDocument {
    package init(_ record: DeliveryRecord) {
        self.init(
            delivery: record.delivery,
            event: record.event,
            title: record.title,
            date: record.date,
            outcome: record.outcome,
            attempts: record.attempts,
            status: record.status,
            reason: record.reason,
        )
    }
}

extension WaitingDocument {
    init(_ delivery: Delivery) {
        self.init(
            delivery: delivery.identifier,
            event: delivery.notice.event,
            title: delivery.notice.title,
            queued: delivery.queued,
            attempts: delivery.attempts,
            next: delivery.next,
            reason: delivery.failure,
        )
    }
}

extension WebhookDetailDocument {
    package init(_ webhook: Webhook, _ outbox: Outbox) {
        self.init(
            webhook: WebhookEntry(webhook, outbox),
            deliveries: outbox.log.reversed().filter { $0.webhook == webhook.identifier }
                .map(DeliveryDocument.init),
            queue: outbox.waiting.filter { $0.webhook == webhook.identifier }
                .map(WaitingDocument.init),
        )
    }
}
