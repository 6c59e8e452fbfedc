import Bundles
import Bytes
package import Foundation
package import Identifiers
package import Releases

/// A URL to which notices are sent.
package struct Webhook: Codable, Sendable, Equatable {
    package typealias Kind = WebhookKind

    /// Eight hexadecimal digits.
    package let identifier: String
    /// Often a secret itself, as with Slack: shown as ``WebhookURL/shown`` only.
    package let url: WebhookURL
    package let kind: Kind
    /// The events it asked for; empty for all.
    package let events: [NoticeEvent]
    /// The apps whose events it asked for; empty for all apps and for events about no app.
    package let apps: [BundleIdentifier]
    /// What payloads are signed with; none for a Slack webhook, whose address is the secret.
    package let secret: WebhookSecret?
    /// Whether it may be at a private address: loopback, a local network.
    package let allowsPrivate: Bool
    package let created: Date
    package let createdBy: String
    /// Since when an admin has paused the webhook; nil while it is active, and in documents of
    /// earlier versions.
    package internal(set) var paused: Date?

    /// Whether a notice is queued for the webhook: it asked for such notices and is not paused.
    package func wants(_ notice: Notice) -> Bool {
        guard paused == nil else { return false }
        if notice.event == .test { return true }
        guard events.isEmpty || events.contains(notice.event) else { return false }
        return apps.isEmpty || notice.apps.contains { apps.contains($0.bundleIdentifier) }
    }
}

/// The key of a webhook's signatures, as text: what both sides feed to HMAC-SHA256 byte by byte.
package struct WebhookSecret: Codable, Sendable, Equatable {
    /// Bytes that a secret may have.
    package static let lengths = 16...256

    package let text: String

    /// - Returns: nil unless it is 16 to 256 printable ASCII characters without space.
    package init?(_ text: String) {
        guard Self.lengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let secret = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a webhook's secret",
            )
        }
        self = secret
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
