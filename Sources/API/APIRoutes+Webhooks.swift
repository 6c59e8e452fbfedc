import APIDocuments
import Access
import Administration
import HTTPTypes
import Notices

extension APIRoutes {
    static let webhooks: [APIRoute] = [
        APIRoute(ListWebhooks.self), APIRoute(AddWebhook.self), APIRoute(ShowWebhook.self),
        APIRoute(RemoveWebhook.self), APIRoute(RetryWebhook.self), APIRoute(TestWebhook.self),
        APIRoute(PauseWebhook.self), APIRoute(ResumeWebhook.self),
    ]
}
