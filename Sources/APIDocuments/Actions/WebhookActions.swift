import Access

/// The webhooks with their status and their last delivery.
package struct ListWebhooks: Action {
    package typealias Answer = WebhooksDocument
    package static let route = ActionRoute(.get, "/webhooks", .everywhere(.admin))

    package init() {}
}

/// Adds a webhook; its secret is in the answer, and nowhere else.
package struct AddWebhook: Action {
    package typealias Answer = AddedWebhookDocument
    package static let route = ActionRoute(
        .post,
        "/webhooks",
        .everywhere(.admin),
        success: .created,
    )

    package let content: NewWebhook

    package init(_ webhook: NewWebhook) {
        content = webhook
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

/// Sends the queued messages of a webhook now, with all attempts again.
package struct RetryWebhook: Action {
    package typealias Answer = RetriedWebhookDocument
    package static let route = ActionRoute(.post, "/webhooks/{webhook}/retry", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
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

/// Sends a test to a webhook, now and once.
package struct TestWebhook: Action {
    package typealias Answer = TriedWebhookDocument
    package static let route = ActionRoute(.post, "/webhooks/{webhook}/test", .everywhere(.admin))

    package let webhook: String

    package init(_ webhook: String) {
        self.webhook = webhook
    }
}

extension NewWebhook: ActionContent {
    package static var keys: Set<String> {
        ["url", "kind", "events", "apps", "secret", "allowPrivate", "allowHTTP"]
    }
}
