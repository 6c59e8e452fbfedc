package import APIDocuments
import Notices
import Store

extension ListWebhooks: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> WebhooksDocument {
        WebhooksDocument(webhooks: try administration.admin.webhooks())
    }
}

extension AddWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> AddedWebhookDocument {
        let added = try administration.admin.addWebhook(content)
        return AddedWebhookDocument(
            webhook: WebhookEntry(added, try administration.admin.store.notices().outbox),
            // An admin who brought the secret has it already.
            secret: content.secret == nil ? added.secret?.text : nil,
        )
    }
}

extension ShowWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> WebhookDetailDocument {
        try administration.admin.webhook(webhook)
    }
}

extension RemoveWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RemovedWebhookDocument {
        let removed = try administration.admin.removeWebhook(webhook)
        return RemovedWebhookDocument(webhook: WebhookEntry(removed, Outbox()))
    }
}

extension RetryWebhook: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RetriedWebhookDocument {
        let (webhook, count) = try administration.admin.retryWebhook(webhook)
        return RetriedWebhookDocument(webhook: webhook, retried: count)
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
        let record = try await admin.testWebhook(webhook, by: WebhookSender(clock: admin.clock))
        return TriedWebhookDocument(delivery: DeliveryDocument(record))
    }
}
