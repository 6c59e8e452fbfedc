package import APIDocuments
import Notices
import Store

extension LocalAdministration {
    package func webhooks() throws -> WebhooksDocument {
        WebhooksDocument(webhooks: try admin.webhooks())
    }

    package func webhook(_ identifier: String) throws -> WebhookDetailDocument {
        try admin.webhook(identifier)
    }

    package func addWebhook(_ webhook: NewWebhook) throws -> AddedWebhookDocument {
        let added = try admin.addWebhook(webhook)
        return AddedWebhookDocument(
            webhook: WebhookEntry(added, try admin.store.notices().outbox),
            // What somebody brought is theirs already.
            secret: webhook.secret == nil ? added.secret?.text : nil,
        )
    }

    package func removeWebhook(_ identifier: String) throws -> RemovedWebhookDocument {
        RemovedWebhookDocument(
            webhook: WebhookEntry(try admin.removeWebhook(identifier), Outbox())
        )
    }

    package func retryWebhook(_ identifier: String) throws -> RetriedWebhookDocument {
        let (webhook, count) = try admin.retryWebhook(identifier)
        return RetriedWebhookDocument(webhook: webhook, retried: count)
    }

    package func testWebhook(_ identifier: String) async throws -> TriedWebhookDocument {
        let record = try await admin.testWebhook(identifier, by: Courier(clock: admin.clock))
        return TriedWebhookDocument(delivery: DeliveryDocument(record))
    }
}
