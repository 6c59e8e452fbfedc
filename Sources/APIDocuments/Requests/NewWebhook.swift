package import Releases

/// The request to add a webhook.
package struct NewWebhook: Codable, Sendable, Equatable {
    package let url: String
    package let kind: WebhookKind
    /// Nil for every event.
    package var events: [NoticeEvent]?
    /// Apps by bundle identifier or slug; nil for all.
    package var apps: [String]?
    /// The key of signatures, 16 to 256 printable characters; nil lets one be made for JSON.
    package var secret: String?
    /// Whether it may be at a private address.
    package var allowPrivate: Bool?
    /// Whether it may be without TLS.
    package var allowHTTP: Bool?

    package init(url: String, kind: WebhookKind) {
        self.url = url
        self.kind = kind
    }
}
