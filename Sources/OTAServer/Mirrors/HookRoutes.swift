import Foundation
import GitMirror
import HTTPTypes
import Hummingbird

/// `POST /hooks/{mirror}`: a git host says that somebody has pushed.
struct HookRoutes: Sendable {
    let site: Site

    /// Answers before anything is fetched or built.
    func deliver(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }),
            length > HookDelivery.sizeLimit
        {
            throw Refusal.tooLarge(limit: HookDelivery.sizeLimit)
        }
        let body = try await BodyBytes.bytes(of: request, atMost: HookDelivery.sizeLimit)
        var fields: [String: String] = [:]
        for field in request.headers where fields[field.name.canonicalName] == nil {
            fields[field.name.canonicalName] = field.value
        }
        let delivery = HookDelivery(fields: fields, body: body)
        let store = site.store
        let answer = try await site.work { try HookDesk(in: store).take(delivery, for: name) }
        switch answer {
        case .accepted, .repeated: return Self.answer(.accepted)
        case .ignored: return Self.answer(.noContent)
        case .unauthorised:
            // The same for a mirror that is not there: nobody learns which there are.
            return Self.answer(
                .unauthorized,
                "no mirror of that name has a secret that signs this: compare it with the one that "
                    + "`ota mirror set NAME --hook-secret-file FILE` was given",
            )
        case .malformed:
            return Self.answer(.badRequest, "the body is not the JSON that it says it is")
        }
    }

    /// Git hosts show whoever set a webhook up what it was answered.
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
