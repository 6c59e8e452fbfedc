import Addresses
import Bundles
import Bytes
package import Foundation
package import Identifiers
import Problems
package import Releases

/// All webhooks: `webhooks.json`, readable by the owner only, because it contains secrets.
package struct WebhookRegister: Codable, Sendable, Equatable {
    package static let countLimit = 50

    package var schema = 1
    /// Oldest first.
    package private(set) var webhooks: [Webhook]

    package init() {
        webhooks = []
    }

    package subscript(identifier: String) -> Webhook? {
        webhooks.first { $0.identifier == identifier }
    }

    /// Returns a webhook that an admin names.
    ///
    /// - Throws: ``WebhookRefusal/unknown(_:)``.
    package func webhook(_ identifier: String) throws(WebhookRefusal) -> Webhook {
        guard let webhook = self[identifier] else { throw .unknown(identifier) }
        return webhook
    }

    /// Returns a webhook that an admin names, if it accepts deliveries.
    ///
    /// - Throws: ``WebhookRefusal/unknown(_:)``, or why nothing is sent to it.
    package func receiver(_ identifier: String) throws(WebhookRefusal) -> Webhook {
        let webhook = try webhook(identifier)
        if let refusal = webhook.deliveryRefusal { throw refusal }
        return webhook
    }

    /// Adds a webhook; one for JSON gets a generated secret if `draft` has none.
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
            // People enter an e-mail address without `mailto:`.
            let isBare = draft.kind == .email && !draft.url.contains(":")
            url = try WebhookURL(checking: (isBare ? "mailto:" : "") + draft.url)
        } catch {
            throw .malformed(error)
        }
        guard url.isMail == (draft.kind == .email) else { throw .malformed(.otherKind) }
        guard url.isSecure || draft.allowsPlain else { throw .notSecure(url.shown) }
        if case .address(let address) = url.host,
            !address.scope.isAllowed(private: draft.allowsPrivate)
        {
            throw .address(address, address.scope)
        }
        guard draft.body == nil || draft.kind.needsBody else { throw .needlessBody }
        guard draft.secret == nil || draft.kind == .json else { throw .needlessSecret }
        let template = draft.kind.needsBody ? try WebhookTemplate(draft.body ?? "") : nil
        guard
            draft.apps.isEmpty || draft.events.isEmpty
                || draft.events.contains(where: \.isAboutApps)
        else { throw .neverSent(draft.events) }
        guard
            draft.channels == nil && draft.groups == nil || draft.events.isEmpty
                || draft.events.contains(where: \.isAboutBuilds)
        else { throw .neverSent(draft.events) }
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
            channels: draft.channels,
            groups: draft.groups,
            template: template,
            secret: draft.secret ?? made,
            allowsPrivate: draft.allowsPrivate,
            created: date,
            createdBy: draft.by,
        )
        webhooks.append(webhook)
        return webhook
    }

    /// Removes a webhook; deliveries that are queued for it are dropped.
    @discardableResult
    package mutating func remove(_ identifier: String) throws(WebhookRefusal) -> Webhook {
        guard let index = webhooks.firstIndex(where: { $0.identifier == identifier }) else {
            throw .unknown(identifier)
        }
        return webhooks.remove(at: index)
    }

    /// Changes a webhook.
    ///
    /// - Parameters:
    ///   - identifier: the webhook's identifier.
    ///   - change: changes the webhook.
    /// - Returns: the changed webhook, and what `change` returned.
    /// - Throws: ``WebhookRefusal/unknown(_:)``.
    package mutating func change<Result>(
        _ identifier: String,
        _ change: (inout Webhook) -> Result,
    ) throws(WebhookRefusal) -> (webhook: Webhook, result: Result) {
        guard let index = webhooks.firstIndex(where: { $0.identifier == identifier }) else {
            throw .unknown(identifier)
        }
        let result = change(&webhooks[index])
        return (webhooks[index], result)
    }
}

/// The settings of a webhook to add.
package struct WebhookDraft: Sendable {
    package var url: String
    package var kind: Webhook.Kind
    /// Empty for every event.
    package var events: [NoticeEvent] = []
    /// Empty for every app.
    package var apps: [BundleIdentifier] = []
    /// Nil for every channel and for events about no build; the same for groups.
    package var channels: [ChannelName]?
    package var groups: [GroupName]?
    package var secret: WebhookSecret?
    /// The body of a webhook of the kind `custom`, as entered.
    package var body: String?
    /// Whether the address may be private.
    package var allowsPrivate = false
    /// Whether plain HTTP is allowed.
    package var allowsPlain = false
    package var by: String

    package init(url: String, kind: Webhook.Kind, by admin: String) {
        self.url = url
        self.kind = kind
        by = admin
    }
}
