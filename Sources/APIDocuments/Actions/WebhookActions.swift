import Access
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
    /// Absent for all.
    package let channels: [String]?
    /// Absent for all.
    package let groups: [String]?
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
    /// The status as list, detail and page show it: `failing since 21 November 2026, 21:35 UTC`, and
    /// the cause where there is one.
    package var statusWords: [String] {
        switch status {
        case .new, .working: [status.rawValue]
        case .failing:
            failing.map { ["failing since \(Wording.moment($0.since))", $0.cause] } ?? ["failing"]
        case .paused: [paused.map { "paused since \(Wording.moment($0))" } ?? "paused"]
        }
    }

    /// What keeps messages from arriving, as a colour; nil where nothing does.
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

    /// What it is limited to beside events: `channels beta · groups qa`; nil where it is not.
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

/// The webhooks with their status and their last delivery.
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

/// One webhook with its last deliveries and its queue.
package struct ShowWebhook: Action {
    package typealias Answer = WebhookDetailDocument
    package static let route = ActionRoute(.get, "/webhooks/{webhook}", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
    }
}

/// Removes a webhook; its queued messages are dropped.
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

/// Pauses a webhook: nothing is sent to it, and no events are queued for it, until it is resumed.
///
/// Messages that are in its queue already stay there. No error if it is paused already.
package struct PauseWebhook: Action {
    package typealias Answer = PausedWebhookDocument
    package static let route = ActionRoute(.post, "/webhooks/{webhook}/pause", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
    }
}

/// Resumes a paused webhook, beginning with its queued messages.
///
/// No error if it is not paused.
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
    /// False where the webhook was paused, or active, already.
    package let changed: Bool

    package init(webhook: WebhookEntry, changed: Bool) {
        self.webhook = webhook
        self.changed = changed
    }
}

/// Sends a test to a webhook, now and once.
package struct TestWebhook: Action {
    package typealias Answer = TriedWebhookDocument
    package static let route = ActionRoute(.post, "/webhooks/{webhook}/test", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
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
