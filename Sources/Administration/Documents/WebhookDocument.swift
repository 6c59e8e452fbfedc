import Bundles
package import Foundation
import Identifiers
package import Notices

/// A webhook as `--json`, the API and pages show it: its secret and the path of its URL stay here.
package struct WebhookEntry: Codable, Sendable, Equatable {
    package let identifier: String
    /// Up to its path.
    package let url: String
    package let kind: Webhook.Kind
    /// Every one that it is told.
    package let events: [NoticeEvent]
    /// Empty for all.
    package let apps: [String]
    package let signed: Bool
    package let allowPrivate: Bool
    package let created: Date
    package let createdBy: String
    package let status: Status
    /// Since when and why its attempts fail; nil while they do not.
    package let failing: FailingDocument?
    /// Deliveries that wait for it.
    package let waiting: Int
    /// When the next attempt is made; nil when nothing waits.
    package let next: Date?
    /// The last delivery that is over.
    package let last: DeliveryDocument?

    /// How its last attempt went.
    package enum Status: String, Codable, Sendable {
        case new, working, failing
    }

    package init(_ webhook: Webhook, _ outbox: Outbox) {
        identifier = webhook.identifier
        url = webhook.url.shown
        kind = webhook.kind
        events = webhook.events.isEmpty ? NoticeEvent.subjects : webhook.events
        apps = webhook.apps.map(\.rawValue)
        signed = webhook.secret != nil
        allowPrivate = webhook.allowsPrivate
        created = webhook.created
        createdBy = webhook.createdBy
        failing = outbox.failure(of: webhook.identifier).map(FailingDocument.init)
        waiting = outbox.waiting.count { $0.webhook == webhook.identifier }
        next = outbox.nextAttempt(for: webhook.identifier)
        last = outbox.log.last { $0.webhook == webhook.identifier }.map(DeliveryDocument.init)
        status = failing != nil ? .failing : last == nil ? .new : .working
    }
}

/// Since when a webhook takes nothing, and why.
package struct FailingDocument: Codable, Sendable, Equatable {
    package let since: Date
    /// When the last attempt failed.
    package let last: Date
    /// What the receiver answered to it; nil where it did not.
    package let status: Int?
    package let reason: String
    /// `HTTP 500`, or the reason.
    package var cause: String { status.map { "HTTP \($0)" } ?? reason }

    init(_ failure: WebhookFailure) {
        since = failure.since
        last = failure.last
        status = failure.status
        reason = failure.reason
    }
}

/// One delivery that is over.
package struct DeliveryDocument: Codable, Sendable, Equatable {
    package let delivery: String
    package let event: NoticeEvent
    package let title: String
    /// Of the last attempt.
    package let date: Date
    package let outcome: DeliveryRecord.Outcome
    package let attempts: Int
    package let status: Int?
    package let reason: String?

    package init(_ record: DeliveryRecord) {
        delivery = record.delivery
        event = record.event
        title = record.title
        date = record.date
        outcome = record.outcome
        attempts = record.attempts
        status = record.status
        reason = record.reason
    }
}

/// One delivery that waits for its next attempt.
package struct WaitingDocument: Codable, Sendable, Equatable {
    package let delivery: String
    package let event: NoticeEvent
    package let title: String
    package let queued: Date
    package let attempts: Int
    package let next: Date
    /// Why the last attempt failed.
    package let reason: String?

    init(_ delivery: Delivery) {
        self.delivery = delivery.identifier
        event = delivery.notice.event
        title = delivery.notice.title
        queued = delivery.queued
        attempts = delivery.attempts
        next = delivery.next
        reason = delivery.failure
    }
}

/// A webhook with what was sent to it and what was not yet.
package struct WebhookDetailDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    /// The newest first.
    package let deliveries: [DeliveryDocument]
    /// The oldest first.
    package let queue: [WaitingDocument]

    package init(_ webhook: Webhook, _ outbox: Outbox) {
        self.webhook = WebhookEntry(webhook, outbox)
        deliveries = outbox.log.reversed().filter { $0.webhook == webhook.identifier }
            .map(DeliveryDocument.init)
        queue = outbox.waiting.filter { $0.webhook == webhook.identifier }.map(WaitingDocument.init)
    }
}

/// `{"schema": 1, "webhooks": […]}`.
package struct WebhooksDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhooks: [WebhookEntry]
}

/// A new webhook, with its secret where one was made.
package struct AddedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    package let secret: String?
}

/// `{"schema": 1, "webhook": {…}}`.
package struct RemovedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
}

/// What is sent now instead of later.
package struct RetriedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    /// Deliveries whose next attempt is made now.
    package let retried: Int
}

/// How a test went.
package struct TriedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let delivery: DeliveryDocument
}
