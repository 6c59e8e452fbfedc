package import Addresses
import Bundles
import Bytes
package import Foundation
package import Identifiers
package import Problems
package import Releases

/// A URL to which notices are sent.
package struct Webhook: Codable, Sendable, Equatable {
    package typealias Kind = WebhookKind

    /// Eight hexadecimal digits.
    package let identifier: String
    /// The URL, which is often a secret itself, as with Slack: only ``WebhookURL/shown`` is displayed.
    package let url: WebhookURL
    package let kind: Kind
    /// The events to send; empty for all.
    package let events: [NoticeEvent]
    /// The apps whose events are sent; empty for all apps and for events about no app.
    package let apps: [BundleIdentifier]
    /// The channels whose builds' events are sent; nil for all, and for events about no build.
    package let channels: [ChannelName]?
    /// The groups whose builds' events are sent; nil as for channels.
    package let groups: [GroupName]?
    /// The body of its messages; nil for every kind but `custom`.
    package let template: WebhookTemplate?
    /// The key with which payloads are signed; nil for a chat, whose URL is the secret.
    package let secret: WebhookSecret?
    /// Whether its address may be private: loopback or a local network.
    package let allowsPrivate: Bool
    package let created: Date
    package let createdBy: String
    /// When an admin paused the webhook; nil while it is active, and in documents of earlier versions.
    package private(set) var paused: Date?

    /// Pauses the webhook, or resumes it; a webhook that is already paused keeps the date.
    ///
    /// - Returns: whether anything changed.
    package mutating func setPaused(_ isPaused: Bool, at date: Date) -> Bool {
        guard (paused != nil) != isPaused else { return false }
        paused = isPaused ? date : nil
        return true
    }

    /// Why nothing is queued for the webhook or sent to it now; nil if deliveries are accepted.
    package var deliveryRefusal: WebhookRefusal? {
        paused == nil ? nil : .paused(identifier)
    }

    package var takesDeliveries: Bool { deliveryRefusal == nil }

    /// Whether a notice is queued for the webhook: it accepts deliveries, and asked for such notices.
    package func wants(_ notice: Notice) -> Bool {
        guard takesDeliveries else { return false }
        if notice.event == .test { return true }
        guard events.isEmpty || events.contains(notice.event) else { return false }
        let isOfApps =
            apps.isEmpty || notice.apps.contains { apps.contains($0.bundleIdentifier) }
        return isOfApps
            && channels.map { notice.channels?.contains(where: $0.contains) == true } ?? true
            && groups.map { notice.groups?.contains(where: $0.contains) == true } ?? true
    }
}

/// Why a change of the webhooks is refused.
package enum WebhookRefusal: ReportableError, Equatable, Sendable {
    case malformed(MalformedWebhookURL)
    case notSecure(String)
    case address(InternetAddress, AddressScope)
    case alreadyThere(String)
    case tooMany(Int)
    case unknown(String)
    /// The webhook is paused, so nothing is sent to it, not even a test.
    case paused(String)
    case noEvent
    case badSecret
    /// Why the admin's own body is refused.
    case badBody(String)
    /// A body was given for a kind that has its own.
    case needlessBody
    /// A secret was given for a kind whose messages are not signed.
    case needlessSecret
    /// The webhook is limited to apps, channels or groups, but asks only for these events, which are about
    /// none.
    case neverSent([NoticeEvent])

    package var description: String {
        switch self {
        case .malformed(let reason): reason.description
        case .notSecure(let url):
            "\(url) has no TLS, so others on the network could read the messages"
        case .address(let address, let scope): "\(address) is \(scope.reason)"
        case .alreadyThere(let url): "there is already a webhook of this kind at \(url)"
        case .tooMany(let limit): "there are already \(limit) webhooks"
        case .noEvent: "no event was chosen"
        case .badBody(let reason): "the body cannot be sent: \(reason)"
        case .needlessBody: "only webhooks of the kind custom have a body"
        case .needlessSecret: "only messages of the kind json are signed with a secret"
        case .neverSent(let events):
            "a webhook limited to apps, channels or groups gets no \(Self.list(events)), so nothing would "
                + "ever be sent"
        case .badSecret:
            "the secret is not \(WebhookSecret.lengths.lowerBound) to "
                + "\(WebhookSecret.lengths.upperBound) printable characters without space"
        case .unknown(let identifier): "there is no webhook \(quoted: identifier)"
        case .paused(let identifier):
            "the webhook \(identifier) is paused, so nothing is sent to it"
        }
    }

    package var id: String {
        switch self {
        case .malformed: "webhook.bad-url"
        case .notSecure: "webhook.not-secure"
        case .address: "webhook.bad-address"
        case .alreadyThere: "webhook.already-there"
        case .tooMany: "webhook.too-many"
        case .unknown: "webhook.unknown"
        case .paused: "webhook.paused"
        case .noEvent: "webhook.no-event"
        case .badSecret: "webhook.bad-secret"
        case .badBody: "webhook.bad-body"
        case .needlessBody: "webhook.needless-body"
        case .needlessSecret: "webhook.needless-secret"
        case .neverSent: "webhook.never-sent"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown: .notFound
        case .malformed, .notSecure, .address, .noEvent, .badSecret, .badBody, .needlessBody,
            .needlessSecret, .neverSent:
            .invalid
        case .alreadyThere, .tooMany, .paused: .conflict
        }
    }

    /// How to fix it on a page, where neither plain HTTP nor internal addresses are allowed.
    package var pageFix: String? {
        switch self {
        case .notSecure: "only https:// addresses can be added here"
        case .address(_, .near): "only public addresses can be added here"
        case .alreadyThere: "remove that one first"
        case .tooMany: "remove one that is no longer needed"
        case .noEvent: "choose at least one event"
        case .badBody: Self.bodyFix
        case .needlessBody: "leave the body empty, or choose the format “Your own JSON”"
        case .malformed, .address, .unknown, .paused, .badSecret, .needlessSecret, .neverSent: nil
        }
    }

    private static func list(_ events: [NoticeEvent]) -> String {
        events.map(\.rawValue).joined(separator: ", ")
    }

    private static let bodyFix =
        "write JSON such as {\"text\": \"{{title}}\"} with these placeholders: "
        + WebhookTemplate.Field.allCases.map(\.rawValue).joined(separator: ", ")

    package var fix: String {
        switch self {
        case .badBody: Self.bodyFix
        case .needlessBody: "leave the body out, or choose the kind custom"
        case .needlessSecret: "leave the secret out, or choose the kind json"
        case .neverSent:
            "leave them out, or add an event about apps: "
                + Self.list(NoticeEvent.subjects.filter(\.isAboutApps))
                + "; about channels and groups: "
                + Self.list(NoticeEvent.subjects.filter(\.isAboutBuilds))
        case .malformed(let reason): reason.fix
        case .notSecure: "give an https:// URL, or allow plain HTTP with --allow-http"
        case .address(_, .near): "give a public address, or allow this one with --allow-private"
        case .address: "give a public address"
        case .alreadyThere: "remove that one first: ota webhooks remove"
        case .tooMany: "remove one that is no longer needed: ota webhooks remove"
        case .unknown: "see `ota webhooks list`"
        case .paused(let identifier): "resume it first: ota webhooks resume \(identifier)"
        case .noEvent:
            "give one or more of: " + NoticeEvent.subjects.map(\.rawValue).joined(separator: ", ")
        case .badSecret: "create one with `openssl rand -hex 32`, or leave it out to get a new one"
        }
    }
}
