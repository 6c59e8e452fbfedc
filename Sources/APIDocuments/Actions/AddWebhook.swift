import Access
package import Identifiers
package import Releases

/// The request to add a webhook.
package struct NewWebhook: Codable, Sendable, Equatable {
    package let url: String
    package let kind: WebhookKind
    /// Nil for every event.
    package var events: [NoticeEvent]?
    /// Apps by bundle identifier or slug; nil for all.
    package var apps: [String]?
    /// The channels whose builds it reports; nil for all.
    package var channels: [ChannelName]?
    /// The groups whose builds it reports; nil for all.
    package var groups: GroupNames?
    /// The key for signatures, 16 to 256 printable characters; nil lets the server create one for the kind
    /// JSON.
    package var secret: String?
    /// The body for the kind `custom`: JSON with placeholders in double braces.
    package var body: String?
    /// Whether its address may be private.
    package var allowPrivate: Bool?
    /// Whether its URL may be without TLS.
    package var allowHTTP: Bool?

    package init(url: String, kind: WebhookKind) {
        self.url = url
        self.kind = kind
    }
}

/// Adds a webhook; only the response contains its secret.
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

/// A new webhook, with its secret if the server created one.
package struct AddedWebhookDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let webhook: WebhookEntry
    package let secret: String?

    package init(webhook: WebhookEntry, secret: String?) {
        self.webhook = webhook
        self.secret = secret
    }
}

extension NewWebhook: ActionContent {
    package static var keys: Set<String> {
        [
            "url", "kind", "events", "apps", "channels", "groups", "secret", "body", "allowPrivate",
            "allowHTTP",
        ]
    }
}
