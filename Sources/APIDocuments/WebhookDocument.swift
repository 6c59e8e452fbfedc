package import Foundation
import Identifiers
package import Releases

/// A webhook as `--json`, the API and pages show it: its secret and the path of its URL stay here.
package struct WebhookEntry: Codable, Sendable, Equatable {
    package let identifier: String
    /// Up to its path.
    package let url: String
    package let kind: WebhookKind
    /// The events that are sent to it.
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
    /// When the next attempt is made; nil when nothing waits, and while it is paused.
    package let next: Date?
    /// The last delivery that is over.
    package let last: DeliveryDocument?
    /// Since when nothing is sent to it because an admin paused it; nil while it is active.
    package let paused: Date?

    /// How its last attempt went, or that none is made while it is paused.
    package enum Status: String, Codable, Sendable {
        case new, working, failing, paused
    }

    package init(
        identifier: String,
        url: String,
        kind: WebhookKind,
        events: [NoticeEvent],
        apps: [String],
        signed: Bool,
        allowPrivate: Bool,
        created: Date,
        createdBy: String,
        status: Status,
        failing: FailingDocument?,
        waiting: Int,
        next: Date?,
        last: DeliveryDocument?,
        paused: Date?,
    ) {
        self.identifier = identifier
        self.url = url
        self.kind = kind
        self.events = events
        self.apps = apps
        self.signed = signed
        self.allowPrivate = allowPrivate
        self.created = created
        self.createdBy = createdBy
        self.status = status
        self.failing = failing
        self.waiting = waiting
        self.next = next
        self.last = last
        self.paused = paused
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

    package init(
        since: Date,
        last: Date,
        status: Int?,
        reason: String,
    ) {
        self.since = since
        self.last = last
        self.status = status
        self.reason = reason
    }
}

/// One delivery that is over.
package struct DeliveryDocument: Codable, Sendable, Equatable {
    package let delivery: String
    package let event: NoticeEvent
    package let title: String
    /// Of the last attempt.
    package let date: Date
    package let outcome: DeliveryOutcome
    package let attempts: Int
    package let status: Int?
    package let reason: String?

    package init(
        delivery: String,
        event: NoticeEvent,
        title: String,
        date: Date,
        outcome: DeliveryOutcome,
        attempts: Int,
        status: Int?,
        reason: String?,
    ) {
        self.delivery = delivery
        self.event = event
        self.title = title
        self.date = date
        self.outcome = outcome
        self.attempts = attempts
        self.status = status
        self.reason = reason
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

    package init(
        delivery: String,
        event: NoticeEvent,
        title: String,
        queued: Date,
        attempts: Int,
        next: Date,
        reason: String?,
    ) {
        self.delivery = delivery
        self.event = event
        self.title = title
        self.queued = queued
        self.attempts = attempts
        self.next = next
        self.reason = reason
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

    package init(
        webhook: WebhookEntry,
        deliveries: [DeliveryDocument],
        queue: [WaitingDocument],
    ) {
        self.webhook = webhook
        self.deliveries = deliveries
        self.queue = queue
    }
}

/// `{"schema": 1, "webhooks": […]}`.
package struct WebhooksDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhooks: [WebhookEntry]

    package init(webhooks: [WebhookEntry]) {
        self.webhooks = webhooks
    }
}

/// A new webhook, with its secret where one was made.
package struct AddedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    package let secret: String?

    package init(webhook: WebhookEntry, secret: String?) {
        self.webhook = webhook
        self.secret = secret
    }
}

/// `{"schema": 1, "webhook": {…}}`.
package struct RemovedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry

    package init(webhook: WebhookEntry) {
        self.webhook = webhook
    }
}

/// What is sent now instead of later.
package struct RetriedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    /// Deliveries whose next attempt is made now.
    package let retried: Int

    package init(webhook: WebhookEntry, retried: Int) {
        self.webhook = webhook
        self.retried = retried
    }
}

/// A webhook that was paused or resumed.
package struct PausedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    /// False where the webhook was paused, or active, already.
    package let changed: Bool

    package init(webhook: WebhookEntry, changed: Bool) {
        self.webhook = webhook
        self.changed = changed
    }
}

/// How a test went.
package struct TriedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let delivery: DeliveryDocument

    package init(delivery: DeliveryDocument) {
        self.delivery = delivery
    }
}
