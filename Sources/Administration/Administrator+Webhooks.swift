package import APIDocuments
import Bundles
import Cryptography
import Foundation
package import Notices
import Releases
import Store

extension Administrator {
    /// Adds a webhook.
    ///
    /// - Returns: the webhook, with the secret of its signatures, which is shown now and never again.
    /// - Throws: ``WebhookRefusal``, ``AdministrationRefusal/unknownApp(_:known:)``, `StoreFailure`.
    package func addWebhook(_ new: NewWebhook) throws -> Webhook {
        var draft = WebhookDraft(url: new.url, kind: new.kind, by: name)
        if let events = new.events {
            guard !events.isEmpty, !events.contains(.test) else { throw WebhookRefusal.noEvent }
            draft.events = events
        }
        draft.apps = try (new.apps ?? []).map { try app(named: $0).bundleIdentifier }
        if let text = new.secret {
            guard let secret = WebhookSecret(text) else { throw WebhookRefusal.badSecret }
            draft.secret = secret
        }
        draft.allowsPrivate = new.allowPrivate ?? false
        draft.allowsPlain = new.allowHTTP ?? false
        let now = clock()
        var added: Webhook?
        try store.changeWebhooks { added = try $0.add(draft, at: now, random: randomBytes) }
        guard let added else { throw WebhookRefusal.unknown("") }
        try record(.webhookAdded, added.url.authority, detail: added.identifier, at: now)
        return added
    }

    /// Removes a webhook; what still waits for it is dropped.
    @discardableResult
    package func removeWebhook(_ identifier: String) throws -> Webhook {
        var removed: Webhook?
        try store.changeWebhooks { removed = try $0.remove(identifier) }
        guard let removed else { throw WebhookRefusal.unknown(identifier) }
        try record(.webhookRemoved, removed.url.authority, detail: removed.identifier, at: clock())
        return removed
    }

    /// Pauses a webhook, or resumes it, and records it in the activity where that changes anything.
    ///
    /// - Throws: ``WebhookRefusal/unknown(_:)``, `StoreFailure`.
    package func setPaused(
        _ isPaused: Bool,
        webhook identifier: String,
    ) throws -> PausedWebhookDocument {
        let now = clock()
        var result: (webhook: Webhook, isChanged: Bool)?
        try store.changeWebhooks { result = try $0.setPaused(isPaused, identifier, at: now) }
        guard let (webhook, isChanged) = result else { throw WebhookRefusal.unknown(identifier) }
        if isChanged {
            let event: Activity.Event = isPaused ? .webhookPaused : .webhookResumed
            try record(event, webhook.url.authority, detail: webhook.identifier, at: now)
        }
        return PausedWebhookDocument(
            webhook: WebhookEntry(webhook, try store.notices().outbox),
            changed: isChanged,
        )
    }

    /// Sends a test to a webhook, now and once.
    ///
    /// - Throws: ``WebhookRefusal/unknown(_:)``, ``WebhookRefusal/paused(_:)``, `StoreFailure`.
    package func testWebhook(
        _ identifier: String,
        by sender: WebhookSender,
    ) async throws -> DeliveryRecord {
        let webhook = try activeWebhook(identifier)
        return try await store.tryOut(webhook, by: name, with: sender, at: clock())
    }

    /// Lets what waits for a webhook be sent now instead of later.
    ///
    /// - Returns: the webhook, and how many deliveries that are.
    /// - Throws: ``WebhookRefusal/unknown(_:)``, ``WebhookRefusal/paused(_:)``, `StoreFailure`.
    package func retryWebhook(_ identifier: String) throws -> (webhook: WebhookEntry, count: Int) {
        let webhook = try activeWebhook(identifier)
        let count = try store.retryDeliveries(to: identifier, at: clock())
        return (WebhookEntry(webhook, try store.notices().outbox), count)
    }

    /// Queues a test for a webhook, which the running server sends within a second.
    ///
    /// - Returns: the webhook.
    /// - Throws: ``WebhookRefusal/unknown(_:)``, ``WebhookRefusal/paused(_:)``, `StoreFailure`.
    package func queueTest(to identifier: String) throws -> Webhook {
        let webhook = try activeWebhook(identifier)
        try store.queueTest(to: webhook, by: name, at: clock())
        return webhook
    }

    /// A webhook that messages can be sent to now.
    private func activeWebhook(_ identifier: String) throws -> Webhook {
        guard let webhook = try store.webhooks()[identifier] else {
            throw WebhookRefusal.unknown(identifier)
        }
        guard webhook.paused == nil else { throw WebhookRefusal.paused(identifier) }
        return webhook
    }

    /// Every webhook with its last deliveries and what waits for it.
    package func webhooks() throws -> [WebhookEntry] {
        let outbox = try store.notices().outbox
        return try store.webhooks().webhooks.map { WebhookEntry($0, outbox) }
    }

    package func webhook(_ identifier: String) throws -> WebhookDetailDocument {
        guard let webhook = try store.webhooks()[identifier] else {
            throw WebhookRefusal.unknown(identifier)
        }
        return WebhookDetailDocument(webhook, try store.notices().outbox)
    }

    /// Everything that ends.
    package func expiries() throws -> ExpiryTimeline {
        try ExpiryTimeline(of: store, at: clock())
    }
}
