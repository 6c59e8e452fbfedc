package import Foundation
package import Releases

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
