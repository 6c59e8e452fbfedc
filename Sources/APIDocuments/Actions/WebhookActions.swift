import Access
package import Foundation
import Identifiers
package import Releases

/// A webhook in `--json`, the API and on pages, without its secret and the path of its URL.
package struct WebhookEntry: Codable, Sendable, Equatable {
    package let identifier: String
    /// The URL up to its path.
    package let url: String
    package let kind: WebhookKind
    /// The events that are sent to it.
    package let events: [NoticeEvent]
    /// The apps whose events are sent; empty for all.
    package let apps: [String]
    /// The channels whose events are sent; absent for all.
    package let channels: [String]?
    /// The groups whose events are sent; absent for all.
    package let groups: [String]?
    package let signed: Bool
    package let allowPrivate: Bool
    package let created: Date
    package let createdBy: String
    package let status: Status
    /// Since when and why deliveries fail; nil if they do not.
    package let failing: FailingDocument?
    /// The number of queued deliveries.
    package let waiting: Int
    /// When the next attempt is made; nil if nothing is queued, and while it is paused.
    package let next: Date?
    /// The last completed delivery.
    package let last: DeliveryDocument?
    /// Since when an admin has paused it; nil while it is active.
    package let paused: Date?

    /// The result of its last attempt, or that it is paused.
    package enum Status: String, Codable, Sendable {
        case new, working, failing, paused
    }

    package init(
        identifier: String,
        url: String,
        kind: WebhookKind,
        events: [NoticeEvent],
        apps: [String],
        channels: [String]?,
        groups: [String]?,
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
        self.channels = channels
        self.groups = groups
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

extension WebhookEntry {
    /// The status for people: `failing since 21 November 2026, 21:35 UTC`, and the cause if there is one.
    package var statusWords: [String] {
        switch status {
        case .new, .working: [status.rawValue]
        case .failing:
            failing.map { ["failing since \(Wording.moment($0.since))", $0.cause] } ?? ["failing"]
        case .paused: [paused.map { "paused since \(Wording.moment($0))" } ?? "paused"]
        }
    }

    /// How bad the status is, for its colour; nil if there is no problem.
    package var trouble: Trouble? {
        switch status {
        case .new, .working: nil
        case .failing: .bad
        case .paused: .warning
        }
    }

    /// What an admin can do about the status: `resume it: ota webhooks resume 1f0a9c3e`.
    package var advice: String? {
        switch status {
        case .new, .working: nil
        case .failing:
            waiting > 0
                ? "send the queued messages now: ota webhooks retry \(identifier)" : nil
        case .paused: "resume it: ota webhooks resume \(identifier)"
        }
    }

    /// Its limits besides events: `channels beta · groups qa`; nil if there are none.
    package var limitWords: String? {
        let parts = [
            channels.map { "channels " + $0.joined(separator: ", ") },
            groups.map { "groups " + $0.joined(separator: ", ") },
        ]
        .compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    package enum Trouble: Sendable {
        case warning, bad
    }
}

/// Lists the webhooks with their status and last delivery.
package struct ListWebhooks: Action {
    package typealias Answer = WebhooksDocument
    package static let route = ActionRoute(.get, "/webhooks", .everywhere(.admin))

    package init() {}
}

/// `{"schema": 1, "webhooks": […]}`.
package struct WebhooksDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhooks: [WebhookEntry]

    package init(webhooks: [WebhookEntry]) {
        self.webhooks = webhooks
    }
}

/// Shows one webhook with its last deliveries and its queue.
package struct ShowWebhook: Action {
    package typealias Answer = WebhookDetailDocument
    package static let route = ActionRoute(.get, "/webhooks/{webhook}", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
    }
}

/// Removes a webhook; its queued messages are discarded.
package struct RemoveWebhook: Action {
    package typealias Answer = RemovedWebhookDocument
    package static let route = ActionRoute(.delete, "/webhooks/{webhook}", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
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

/// Sends the queued messages of a webhook now, with all attempts again.
package struct RetryWebhook: Action {
    package typealias Answer = RetriedWebhookDocument
    package static let route = ActionRoute(.post, "/webhooks/{webhook}/retry", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
    }
}

/// The result of retrying a webhook.
package struct RetriedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    /// The number of deliveries whose next attempt is made now.
    package let retried: Int

    package init(webhook: WebhookEntry, retried: Int) {
        self.webhook = webhook
        self.retried = retried
    }
}

/// Pauses a webhook: nothing is sent to it, and no events are queued for it, until it is resumed.
///
/// Messages that are already in its queue stay there. It is no error if it is already paused.
package struct PauseWebhook: Action {
    package typealias Answer = PausedWebhookDocument
    package static let route = ActionRoute(.post, "/webhooks/{webhook}/pause", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
    }
}

/// Resumes a paused webhook, starting with its queued messages.
///
/// It is no error if it is not paused.
package struct ResumeWebhook: Action {
    package typealias Answer = PausedWebhookDocument
    package static let route = ActionRoute(
        .post,
        "/webhooks/{webhook}/resume",
        .everywhere(.admin),
    )

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
    }
}

/// A webhook that was paused or resumed.
package struct PausedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    /// False if the webhook was already paused or active.
    package let changed: Bool

    package init(webhook: WebhookEntry, changed: Bool) {
        self.webhook = webhook
        self.changed = changed
    }
}

/// Sends a test message to a webhook now, with one attempt.
package struct TestWebhook: Action {
    package typealias Answer = TriedWebhookDocument
    package static let route = ActionRoute(.post, "/webhooks/{webhook}/test", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
    }
}

/// The result of a test.
package struct TriedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let delivery: DeliveryDocument

    package init(delivery: DeliveryDocument) {
        self.delivery = delivery
    }
}
