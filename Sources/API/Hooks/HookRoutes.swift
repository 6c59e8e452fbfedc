import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Mirrors
import SiteServices

/// Handles `POST /hooks/{mirror}`, by which a git host reports a push.
struct HookRoutes: Sendable {
    let site: Site

    /// Answers before anything is fetched or built.
    func deliver(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        try GatheredBody.check(request, atMost: HookDelivery.sizeLimit)
        var fields: [String: String] = [:]
        for field in request.headers where fields[field.name.canonicalName] == nil {
            fields[field.name.canonicalName] = field.value
        }
        let store = site.store
        let secret = try await site.work { try HookService(in: store).secret(of: name) }
        // The body is never kept in memory as a whole, because anyone can send many large ones at once.
        var reception = HookReception(fields: fields, secret: secret)
        var count = 0
        for try await bytes in request.body {
            count += bytes.readableBytes
            guard count <= HookDelivery.sizeLimit else {
                throw Refusal.tooLarge(limit: HookDelivery.sizeLimit)
            }
            reception.update(bytes.readableBytesView)
        }
        let delivery = reception.finish()
        let answer = try await site.work { try HookService(in: store).take(delivery, for: name) }
        switch answer {
        case .accepted, .repeated: return Self.answer(.accepted)
        case .ignored: return Self.answer(.noContent)
        case .unauthorised:
            // The same answer as for an unknown mirror, so that strangers cannot find out which
            // ones exist.
            return Self.answer(
                .unauthorized,
                "there is no mirror of that name, or its webhook secret does not match the "
                    + "signature: compare it with the one given to `ota mirror set NAME "
                    + "--hook-secret-file FILE`",
            )
        case .paused(let refusal): return Self.answer(.conflict, "\(refusal)")
        case .malformed:
            return Self.answer(.badRequest, "the body is not valid JSON")
        }
    }

    /// Returns a response with plain text, because git hosts show it to the person who configured the
    /// webhook.
    private static func answer(
        _ status: HTTPResponse.Status,
        _ words: String? = nil,
    ) -> Response {
        var headers = ResponseFields.common
        headers[.cacheControl] = "no-store"
        guard let words else { return Response(status: status, headers: headers) }
        headers[.contentType] = "text/plain; charset=utf-8"
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: words + "\n")),
        )
    }
}
