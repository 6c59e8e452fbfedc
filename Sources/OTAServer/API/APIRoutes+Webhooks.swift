import APIDocuments
import Access
import Administration
import HTTPTypes
import Notices

extension APIRoutes {
    static let webhooks: [APIRoute] = [
        APIRoute(.get, "/webhooks", .everywhere(.admin)) { call in
            try await call.json { try $0.webhooks() }
        },
        APIRoute(.post, "/webhooks", .everywhere(.admin)) { call in
            let new = try call.request(NewWebhook.self)
            return try await call.json(status: .created) { try $0.addWebhook(new) }
        },
        APIRoute(.get, "/webhooks/{webhook}", .everywhere(.admin)) { call in
            let identifier = try call.parameter("webhook")
            return try await call.json { try $0.webhook(identifier) }
        },
        APIRoute(.delete, "/webhooks/{webhook}", .everywhere(.admin)) { call in
            let identifier = try call.parameter("webhook")
            return try await call.json { try $0.removeWebhook(identifier) }
        },
        APIRoute(.post, "/webhooks/{webhook}/retry", .everywhere(.admin)) { call in
            _ = try call.request(EmptyRequest.self)
            let identifier = try call.parameter("webhook")
            return try await call.json { try $0.retryWebhook(identifier) }
        },
        APIRoute(.post, "/webhooks/{webhook}/test", .everywhere(.admin)) { call in
            _ = try call.request(EmptyRequest.self)
            let identifier = try call.parameter("webhook")
            return try APIAnswer.json(
                await call.administration.testWebhook(identifier),
                status: .ok,
            )
        },
    ]
}

extension NewWebhook: APIRequest {
    static var keys: Set<String> {
        ["url", "kind", "events", "apps", "secret", "allowPrivate", "allowHTTP"]
    }
}

extension WebhookRefusal {
    var apiStatus: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .malformed, .notSecure, .address, .noEvent, .badSecret: .unprocessableContent
        case .alreadyThere, .tooMany: .conflict
        }
    }
}
