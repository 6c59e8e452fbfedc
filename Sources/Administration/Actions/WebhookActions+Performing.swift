package import APIDocuments
import Bundles
import Cryptography
import Foundation
import Identifiers
package import Notices
import Releases
import Store

extension Actions {
    static let webhooks: [any PerformedAction.Type] = [
        ListWebhooks.self, AddWebhook.self, ShowWebhook.self, RemoveWebhook.self,
        RetryWebhook.self, TestWebhook.self, PauseWebhook.self, ResumeWebhook.self,
    ]
}

extension ListWebhooks: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> WebhooksDocument {
        let store = administration.admin.store
        let outbox = try store.notices().outbox
        return WebhooksDocument(
            webhooks: try store.webhooks().webhooks.map { WebhookEntry($0, outbox) }
        )
    }
}

extension AddWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> AddedWebhookDocument {
        let admin = administration.admin
        let draft = try WebhookDraft(content, by: admin)
        let now = admin.clock()
        let added = try admin.changeWebhooks {
            try $0.add(draft, at: now, random: randomBytes)
        } recording: {
            admin.activity(.webhookAdded, about: $0, at: now)
        }
        return AddedWebhookDocument(
            webhook: try admin.entry(added),
            // An admin who supplied the secret already has it.
            secret: content.secret == nil ? added.secret?.text : nil,
        )
    }
}

extension ShowWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> WebhookDetailDocument {
        let store = administration.admin.store
        return WebhookDetailDocument(
            try store.webhooks().webhook(webhook),
            try store.notices().outbox,
        )
    }
}

extension RemoveWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RemovedWebhookDocument {
        let admin = administration.admin
        let now = admin.clock()
        let removed = try admin.changeWebhooks {
            try $0.remove(webhook)
        } recording: {
            admin.activity(.webhookRemoved, about: $0, at: now)
        }
        return RemovedWebhookDocument(webhook: WebhookEntry(removed, Outbox()))
    }
}

extension RetryWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RetriedWebhookDocument {
        let admin = administration.admin
        let receiver = try admin.store.webhooks().receiver(webhook)
        let now = admin.clock()
        let count = try admin.store.retryDeliveries(to: webhook, at: now)
        try admin.store.record(admin.activity(.webhookRetried, about: receiver, at: now))
        return RetriedWebhookDocument(webhook: try admin.entry(receiver), retried: count)
    }
}

extension PauseWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> PausedWebhookDocument {
        try administration.admin.setPaused(true, webhook: webhook)
    }
}

extension ResumeWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> PausedWebhookDocument {
        try administration.admin.setPaused(false, webhook: webhook)
    }
}

extension TestWebhook: WaitingAction {
    package func perform(
        in administration: LocalAdministration
    ) async throws -> TriedWebhookDocument {
        let admin = administration.admin
        let receiver = try admin.store.webhooks().receiver(webhook)
        let record = try await admin.store.tryOut(
            receiver,
            by: admin.name,
            with: WebhookSender(clock: admin.clock, mail: administration.mail),
            at: admin.clock(),
        )
        try admin.recordTest(of: receiver)
        return TriedWebhookDocument(delivery: DeliveryDocument(record))
    }
}

extension Administrator {
    /// Queues a test for a webhook, which the running server sends within a second.
    ///
    /// - Returns: the webhook.
    /// - Throws: ``WebhookRefusal``, `StoreFailure`.
    package func queueTest(to identifier: String) throws -> Webhook {
        let receiver = try store.webhooks().receiver(identifier)
        try store.queueTest(to: receiver, by: name, at: clock())
        try recordTest(of: receiver)
        return receiver
    }

    fileprivate func recordTest(of webhook: Webhook) throws {
        try store.record(activity(.webhookTested, about: webhook, at: clock()))
    }

    /// Pauses or resumes a webhook; if that changes anything, it is recorded in the activity.
    fileprivate func setPaused(
        _ isPaused: Bool,
        webhook identifier: String,
    ) throws -> PausedWebhookDocument {
        let now = clock()
        let (webhook, isChanged) = try changeWebhooks {
            try $0.change(identifier) { $0.setPaused(isPaused, at: now) }
        } recording: {
            activity(isPaused ? .webhookPaused : .webhookResumed, about: $0.webhook, at: now)
        }
        return PausedWebhookDocument(webhook: try entry(webhook), changed: isChanged)
    }

    /// Changes the register, and returns the result of the change, which `recording` turns into an activity
    /// entry.
    fileprivate func changeWebhooks<Result>(
        _ change: (inout WebhookRegister) throws -> Result,
        recording: (Result) -> Activity,
    ) throws -> Result {
        var result: Result?
        try store.changeWebhooks {
            result = try change(&$0)
        } recording: {
            result.map { [recording($0)] } ?? []
        }
        guard let result else { throw WebhookRefusal.unknown("") }
        return result
    }

    fileprivate func activity(
        _ event: Activity.Event,
        about webhook: Webhook,
        at date: Date,
    ) -> Activity {
        activity(event, webhook.url.authority, detail: webhook.identifier, at: date)
    }

    fileprivate func entry(_ webhook: Webhook) throws -> WebhookEntry {
        WebhookEntry(webhook, try store.notices().outbox)
    }
}

extension WebhookDraft {
    fileprivate init(_ new: NewWebhook, by admin: Administrator) throws {
        self.init(url: new.url, kind: new.kind, by: admin.name)
        if let chosen = new.events {
            guard !chosen.isEmpty, !chosen.contains(.test) else { throw WebhookRefusal.noEvent }
            events = chosen
        }
        apps = try (new.apps ?? []).map { try admin.app(named: $0).bundleIdentifier }
        channels = new.channels.flatMap { $0.isEmpty ? nil : $0 }
        groups = new.groups?.names
        try admin.check(groups: groups ?? [])
        if let text = new.secret {
            guard let given = WebhookSecret(text) else { throw WebhookRefusal.badSecret }
            secret = given
        }
        body = new.body
        allowsPrivate = new.allowPrivate ?? false
        allowsPlain = new.allowHTTP ?? false
    }
}

extension WebhookEntry {
    package init(_ webhook: Webhook, _ outbox: Outbox) {
        let failing = outbox.failure(of: webhook.identifier).map(FailingDocument.init)
        let last = outbox.log.last { $0.webhook == webhook.identifier }.map(DeliveryDocument.init)
        self.init(
            identifier: webhook.identifier,
            url: webhook.url.shown,
            kind: webhook.kind,
            events: webhook.events.isEmpty ? NoticeEvent.subjects : webhook.events,
            apps: webhook.apps.map(\.rawValue),
            channels: webhook.channels?.map(\.rawValue),
            groups: webhook.groups?.map(\.rawValue),
            signed: webhook.secret != nil,
            allowPrivate: webhook.allowsPrivate,
            created: webhook.created,
            createdBy: webhook.createdBy,
            status: Self.status(webhook, isFailing: failing != nil, isNew: last == nil),
            failing: failing,
            waiting: outbox.waiting.count { $0.webhook == webhook.identifier },
            next: webhook.paused == nil ? outbox.nextAttempt(for: webhook.identifier) : nil,
            last: last,
            paused: webhook.paused,
        )
    }

    private static func status(_ webhook: Webhook, isFailing: Bool, isNew: Bool) -> Status {
        if webhook.paused != nil { return .paused }
        if isFailing { return .failing }
        return isNew ? .new : .working
    }
}
