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
            throw Refusal.tooLarge
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
        case .unauthorised: throw Refusal.notSignedIn
        case .malformed: throw Refusal.malformed("the body is not the JSON that it says it is")
        }
    }

    private static func answer(_ status: HTTPResponse.Status) -> Response {
        var headers = ResponseFields.common
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers)
    }
}
