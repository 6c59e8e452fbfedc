package import Addresses
import Bundles
import Bytes
package import Foundation
package import Identifiers
package import Problems
package import Releases

/// The webhooks: `webhooks.json`, readable by the owner only, because it contains secrets.
package struct WebhookRegister: Codable, Sendable, Equatable {
    package static let countLimit = 50

    package var schema = 1
    /// The oldest first.
    package private(set) var webhooks: [Webhook]

    package init() {
        webhooks = []
    }

    package subscript(identifier: String) -> Webhook? {
        webhooks.first { $0.identifier == identifier }
    }

    /// Adds a webhook; one for JSON gets a secret where `draft` brings none.
    ///
    /// - Throws: ``WebhookRefusal``.
    @discardableResult
    package mutating func add(
        _ draft: WebhookDraft,
        at date: Date,
        random: (Int) -> [UInt8],
    ) throws(WebhookRefusal) -> Webhook {
        let url: WebhookURL
        do throws(MalformedWebhookURL) {
            url = try WebhookURL(checking: draft.url)
        } catch {
            throw .malformed(error)
        }
        guard url.isSecure || draft.allowsPlain else { throw .notSecure(url.shown) }
        if case .address(let address) = url.host,
            !address.scope.isAllowed(private: draft.allowsPrivate)
        {
            throw .address(address, address.scope)
        }
        guard webhooks.count < Self.countLimit else { throw .tooMany(Self.countLimit) }
        guard !webhooks.contains(where: { $0.url == url && $0.kind == draft.kind }) else {
            throw .alreadyThere(url.shown)
        }
        var identifier = Hex.encode(random(4))
        while self[identifier] != nil { identifier = Hex.encode(random(4)) }
        let made = draft.kind == .json ? WebhookSecret(Hex.encode(random(32))) : nil
        let webhook = Webhook(
            identifier: identifier,
            url: url,
            kind: draft.kind,
            events: NoticeEvent.subjects.filter(draft.events.contains),
            apps: draft.apps,
            secret: draft.secret ?? made,
            allowsPrivate: draft.allowsPrivate,
            created: date,
            createdBy: draft.by,
        )
        webhooks.append(webhook)
        return webhook
    }

    /// Removes a webhook; what was still to be sent to it is dropped.
    @discardableResult
    package mutating func remove(_ identifier: String) throws(WebhookRefusal) -> Webhook {
        guard let index = webhooks.firstIndex(where: { $0.identifier == identifier }) else {
            throw .unknown(identifier)
        }
        return webhooks.remove(at: index)
    }

    /// Pauses a webhook, or lets it continue.
    ///
    /// A webhook that is paused already keeps the time at which it was.
    ///
    /// - Parameters:
    ///   - isPaused: whether the webhook is to be paused.
    ///   - identifier: of the webhook.
    ///   - date: the present.
    /// - Returns: the webhook as it is now, and whether anything changed.
    /// - Throws: ``WebhookRefusal/unknown(_:)``.
    package mutating func setPaused(
        _ isPaused: Bool,
        _ identifier: String,
        at date: Date,
    ) throws(WebhookRefusal) -> (webhook: Webhook, isChanged: Bool) {
        guard let index = webhooks.firstIndex(where: { $0.identifier == identifier }) else {
            throw .unknown(identifier)
        }
        let isChanged = (webhooks[index].paused != nil) != isPaused
        if isChanged { webhooks[index].paused = isPaused ? date : nil }
        return (webhooks[index], isChanged)
    }
}

/// What an admin asks for.
package struct WebhookDraft: Sendable {
    package var url: String
    package var kind: Webhook.Kind
    /// Empty for every event.
    package var events: [NoticeEvent] = []
    /// Empty for every app.
    package var apps: [BundleIdentifier] = []
    package var secret: WebhookSecret?
    /// Whether the address may be a private one.
    package var allowsPrivate = false
    /// Whether it may be without TLS.
    package var allowsPlain = false
    package var by: String

    package init(url: String, kind: Webhook.Kind, by admin: String) {
        self.url = url
        self.kind = kind
        by = admin
    }
}

/// Why the register of webhooks would not change.
package enum WebhookRefusal: ReportableError, Equatable, Sendable {
    case malformed(MalformedWebhookURL)
    case notSecure(String)
    case address(InternetAddress, AddressScope)
    case alreadyThere(String)
    case tooMany(Int)
    case unknown(String)
    /// By its identifier: nothing is sent to a paused webhook, no test either.
    case paused(String)
    case noEvent
    case badSecret

    package var description: String {
        switch self {
        case .malformed(let reason): reason.description
        case .notSecure(let url):
            "\(url) has no TLS, so others on the network could read the messages"
        case .address(let address, let scope): "\(address) is \(scope.reason)"
        case .alreadyThere(let url): "there is already a webhook of this kind at \(url)"
        case .tooMany(let limit): "there are already \(limit) webhooks"
        case .noEvent: "no event was chosen"
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
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown: .notFound
        case .malformed, .notSecure, .address, .noEvent, .badSecret: .invalid
        case .alreadyThere, .tooMany, .paused: .conflict
        }
    }

    /// Pages allow neither plain HTTP nor addresses inside the network.
    package var pageFix: String? {
        switch self {
        case .notSecure: "only https:// addresses can be added here"
        case .address(_, .near): "only public addresses can be added here"
        case .alreadyThere: "remove that one first"
        case .tooMany: "remove one that is no longer needed"
        case .noEvent: "choose at least one event"
        case .malformed, .address, .unknown, .paused, .badSecret: nil
        }
    }

    package var fix: String {
        switch self {
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
