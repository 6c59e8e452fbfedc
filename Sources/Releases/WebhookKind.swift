import Bytes

/// What a webhook is sent.
package enum WebhookKind: String, WordCoded, Sendable {
    /// The documented JSON with a signature.
    case json
    /// `{"text": …}`, as Slack, Mattermost and others take it.
    case slack
}

/// How a delivery to a webhook ended.
package enum DeliveryOutcome: String, Codable, Sendable {
    case delivered
    /// Given up after the last attempt, or because the answer left no hope.
    case failed
    /// Never sent, because too many waited.
    case dropped
}
