import Bytes

/// What a webhook is sent.
package enum WebhookKind: String, WordCoded, Sendable {
    /// The documented JSON with a signature.
    case json
    /// `{"text": …}`, as Slack, Mattermost and others take it.
    case slack
    /// An Adaptive Card, as the URL of a Microsoft Teams workflow takes it.
    case teams
    /// An embed, as a Discord webhook takes it.
    case discord
    /// JSON of the admin's own, for any other receiver.
    case custom
    /// An e-mail, by way of the mail server that the server was started with.
    case email

    /// Those whose secret is their address; what they are sent is signed only if a secret is given.
    package static let chats = allCases.filter { $0 != .json }

    /// Whether it takes the text of a body.
    package var needsBody: Bool { self == .custom }
}

/// How a delivery to a webhook ended.
package enum DeliveryOutcome: String, Codable, Sendable {
    case delivered
    /// Given up after the last attempt, or because the answer left no hope.
    case failed
    /// Never sent, because too many waited.
    case dropped
}
