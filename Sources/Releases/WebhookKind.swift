import Bytes

/// The format of what is sent to a webhook.
package enum WebhookKind: String, WordCoded, Sendable {
    /// The documented JSON with a signature.
    case json
    /// `{"text": …}`, the format of Slack, Mattermost and others.
    case slack
    /// An Adaptive Card for a Microsoft Teams workflow.
    case teams
    /// An embed for a Discord webhook.
    case discord
    /// JSON defined by the admin, for any other receiver.
    case custom
    /// An e-mail through the mail server given when the server was started.
    case email

    /// The kinds whose URL is the secret; their messages are signed only if a secret is given.
    package static let chats = allCases.filter { $0 != .json }

    /// Whether it needs a body from the admin.
    package var needsBody: Bool { self == .custom }
}

/// How a delivery to a webhook ended.
package enum DeliveryOutcome: String, Codable, Sendable {
    case delivered
    /// Given up after the last attempt, or because of a permanent error.
    case failed
    /// Never sent, because too many messages were queued.
    case dropped
}
