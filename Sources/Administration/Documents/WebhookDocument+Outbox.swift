package import APIDocuments
import Bundles
import Identifiers
package import Notices
import Releases

extension WebhookEntry {
    package init(_ webhook: Webhook, _ outbox: Outbox) {
        let failing = outbox.failure(of: webhook.identifier).map(FailingDocument.init)
        let last = outbox.log.last { $0.webhook == webhook.identifier }.map(DeliveryDocument.init)
        self.init(
            identifier: webhook.identifier,
            url: webhook.url.shown,
            kind: webhook.kind,
            events: webhook.events.isEmpty ? NoticeEvent.subjects : webhook.events,
            apps: webhook.apps.map(\.rawValue),
            signed: webhook.secret != nil,
            allowPrivate: webhook.allowsPrivate,
            created: webhook.created,
            createdBy: webhook.createdBy,
            status: Self.status(webhook, isFailing: failing != nil, isNew: last == nil),
            failing: failing,
            waiting: outbox.waiting.count { $0.webhook == webhook.identifier },
            next: webhook.paused == nil ? outbox.nextAttempt(for: webhook.identifier) : nil,
            last: last,
            paused: webhook.paused,
        )
    }

    private static func status(_ webhook: Webhook, isFailing: Bool, isNew: Bool) -> Status {
        if webhook.paused != nil { return .paused }
        if isFailing { return .failing }
        return isNew ? .new : .working
    }
}

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
