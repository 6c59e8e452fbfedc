package import Foundation
package import Releases

/// Since when deliveries to a webhook fail, and why.
package struct FailingDocument: Codable, Sendable, Equatable {
    package let since: Date
    /// When the last attempt failed.
    package let last: Date
    /// The status code of the response to it; nil if there was none.
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

/// A completed delivery.
package struct DeliveryDocument: Codable, Sendable, Equatable {
    package let delivery: String
    package let event: NoticeEvent
    package let title: String
    /// The date of the last attempt.
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

/// A delivery that is waiting for its next attempt.
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

/// A webhook with its completed and queued deliveries.
package struct WebhookDetailDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    /// Newest first.
    package let deliveries: [DeliveryDocument]
    /// Oldest first.
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
