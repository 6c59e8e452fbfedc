import APIDocuments
import Access
import Administration
import Foundation
import OTAServer
import Store
import Testing

/// A client of a site's API.
struct APIClient: Sendable {
    let site: TestSite
    /// The token in `Authorization`; nil for none.
    let secret: String?

    /// Returns a client with a new token that has these scopes.
    static func holding(_ scopes: String..., on site: TestSite) throws -> APIClient {
        let admin = Administrator(of: site.store, named: "test", clock: { Date() })
        let name = "token \(UUID().uuidString)"
        let made = try admin.createToken(NewToken(name: name, scopes: scopes))
        return APIClient(site: site, secret: made.secret.text)
    }

    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        type: String = "application/json",
        fields: [String: String] = [:],
    ) async throws -> APIResponse {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        if let secret { head += "Authorization: Bearer \(secret)\r\n" }
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if let body {
            head += "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
        }
        let text = head + "\r\n" + (body ?? "")
        return try await WireClient.secure(site) { client in
            try await client.send(text)
            return APIResponse(try await client.response(hasBody: method != "HEAD"))
        }
    }

    func get(_ path: String) async throws -> APIResponse {
        try await send("GET", "/api/v1" + path)
    }

    func post(_ path: String, _ body: String = "{}") async throws -> APIResponse {
        try await send("POST", "/api/v1" + path, body)
    }
}

/// A response of the API.
struct APIResponse: Sendable {
    let wire: WireResponse

    init(_ wire: WireResponse) {
        self.wire = wire
    }

    var status: Int { wire.status }

    func document<Document: Decodable>(_ type: Document.Type) throws -> Document {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(wire.body))
    }

    /// The identifier of the problem; nil if the body is no problem document, or is not served as one.
    var refusal: String? {
        guard wire.fields["content-type"] == "application/problem+json",
            wire.fields["cache-control"] == "no-store",
            let problem = try? document(ProblemDocument.self), problem.status == status,
            !problem.detail.isEmpty, !problem.title.isEmpty, !problem.fix.isEmpty
        else { return nil }
        return problem.id
    }
}
