import APIDocuments
import Access
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import NIOCore
import Releases
import SiteServices
import Uploads

/// Responses about uploads: the header fields of the draft, and JSON.
extension UploadRoutes {
    /// Waits for the publish, or answers 202 at once if the client prefers `respond-async` (RFC 7240).
    func outcome(of session: UploadSession, _ request: Request) async throws -> Response {
        if request.headers[.prefer]?.contains("respond-async") == true,
            session.record.state == .publishing
        {
            var response = response(.accepted, of: session)
            response.headers[.preferenceApplied] = "respond-async"
            return response
        }
        guard let answer = await session.answer() else {
            if session.record.state == .receiving { return response(.created, of: session) }
            throw Refusal.unavailable("the server is shutting down")
        }
        var response = json(.init(code: answer.status), answer.body)
        response.headers[.uploadComplete] = UploadField.text(true)
        response.headers[.location] = location(session)
        return response
    }

    func state(of session: UploadSession) throws -> Response {
        let answer = session.record.answer ?? session.failure
        return json(.ok, try WireJSON.document(UploadStateDocument(session.status, answer)))
    }

    func response(
        _ status: HTTPResponse.Status,
        of session: UploadSession,
        isBare: Bool = false,
    ) -> Response {
        let state = session.status
        var response =
            isBare
            ? Response(status: status, headers: ResponseFields.common)
            : json(status, (try? WireJSON.document(state)) ?? "{}\n")
        response.headers[.cacheControl] = "no-store"
        response.headers[.location] = location(session)
        response.headers[.uploadOffset] = "\(state.offset)"
        response.headers[.uploadLength] = "\(state.size)"
        response.headers[.uploadComplete] = UploadField.text(state.state != .receiving)
        response.headers[.uploadLimit] = limit
        response.headers[.uploadInterop] = UploadField.interopVersion
        return response
    }

    func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status,
            headers: ResponseFields.of(
                type: status.code < 400 ? "application/json" : ProblemDocument.mediaType,
                cache: "no-store",
            ),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)),
        )
    }

    /// Authenticates a request, by token or as that of an admin who is signed in, and returns errors as
    /// JSON.
    func answering(
        _ request: Request,
        _ context: RouteContext,
        _ body: (Principal) async throws -> Response,
    ) async throws -> Response {
        var principal: Principal?
        do {
            let signedIn = try await SignIn(site: site).uploader(request, context)
            principal = signedIn
            return try await body(signedIn)
        } catch let refusal as Refusal {
            throw refusal
        } catch let error where BrokenOff.isCause(error) {
            throw Refusal.cut
        } catch {
            let answer = APIAnswer(refusing: Refusal.hidingFailures(of: error, from: principal))
            let status = answer.status.code
            if status >= 500 {
                site.logger.error("an upload failed", metadata: ["reason": "\(error)"])
            }
            var response = answer.response()
            if case UploadRefusal.wrongOffset(let expected, _) = error {
                response.headers[.uploadOffset] = "\(expected)"
                response.headers[.uploadComplete] = UploadField.text(false)
            }
            if status == 429 || status >= 500 {
                response.headers[.retryAfter] = "30"
            }
            return response
        }
    }

    /// The path of an upload without scheme and host, because the client already knows those that reach
    /// this server.
    func location(_ session: UploadSession) -> String {
        "\(site.links.base.path)\(Self.path)/\(session.identifier)"
    }

    var limit: String {
        "max-size=\(uploads.limits.largest), max-append-size=\(uploads.limits.piece), "
            + "max-age=\(Int(uploads.limits.idleTime))"
    }
}

extension UploadEntry {
    /// The state of an upload.
    init(_ session: UploadSession) {
        let (record, status) = (session.record, session.status)
        self.init(
            upload: "\(record.identifier)",
            state: record.state.rawValue,
            offset: status.offset,
            size: status.size,
            publisher: record.publisher,
            app: record.offer.app?.rawValue,
            version: record.offer.version,
            build: record.offer.build,
            channel: record.offer.channel.rawValue,
            created: record.created,
            touched: record.touched,
        )
    }
}
