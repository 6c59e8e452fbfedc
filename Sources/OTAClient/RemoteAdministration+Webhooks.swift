package import APIDocuments
import Administration

extension RemoteAdministration {
    package func webhooks() async throws -> WebhooksDocument {
        try await get(["webhooks"])
    }

    package func webhook(_ identifier: String) async throws -> WebhookDetailDocument {
        try await get(["webhooks", identifier])
    }

    package func addWebhook(_ webhook: NewWebhook) async throws -> AddedWebhookDocument {
        try await send(.post, ["webhooks"], webhook)
    }

    package func removeWebhook(_ identifier: String) async throws -> RemovedWebhookDocument {
        try await send(.delete, ["webhooks", identifier])
    }

    package func retryWebhook(_ identifier: String) async throws -> RetriedWebhookDocument {
        try await send(.post, ["webhooks", identifier, "retry"])
    }

    package func testWebhook(_ identifier: String) async throws -> TriedWebhookDocument {
        try await send(.post, ["webhooks", identifier, "test"])
    }
}
