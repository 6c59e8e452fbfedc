import APIDocuments
import SiteServices
import Access
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import Problems
import Releases
import Uploads

/// `/api/v1/uploads`: builds that come in pieces, after *Resumable Uploads for HTTP*
/// (draft-ietf-httpbis-resumable-upload).
///
/// `POST` offers a build, with JSON or with its first bytes; `HEAD` tells how much has come,
/// `PATCH` appends, `DELETE` gives up, and `GET` tells how it stands and, for a day, what it came
/// to.
package struct UploadRoutes: Sendable {
    /// Where builds are offered.
    package static let path = "/api/v1/uploads"

    /// What the two addresses take; `HEAD` goes the way of `GET`.
    static let operations:
        [(
            method: HTTPRequest.Method, path: String,
            handler: @Sendable (UploadRoutes) -> RouteHandler
        )] =
            [
                (.post, path, { $0.begin }), (.options, path, { $0.options }),
                (.head, path + "/{upload}", { $0.look }), (.get, path + "/{upload}", { $0.look }),
                (.patch, path + "/{upload}", { $0.append }),
                (.delete, path + "/{upload}", { $0.cancel }),
            ]

    /// The handlers of each address.
    var table: [String: [HTTPRequest.Method: RouteHandler]] {
        Self.operations.reduce(into: [:]) { table, operation in
            table[operation.path, default: [:]][operation.method] = operation.handler(self)
        }
    }

    /// Bytes of an offer: the notes, and a little more.
    private static let offerBytes = 160 << 10

    let site: Site
    let uploads: UploadService

    private var desk: UploadService { uploads }

    /// Answers `POST /api/v1/uploads`.
    @Sendable func begin(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let principal = try await SignIn(site: site).bearer(request, context)
            try principal.requirePublish(on: nil)
            let isOffer = Self.isOffer(request.headers[.contentType])
            let offer =
                isOffer
                ? try await jsonOffer(request) : try UploadRequest.offer(of: request)
            let desk = desk
            let beginning = try await desk.writing { try desk.begin(offer, by: principal) }
            switch beginning {
            case .known(let session):
                return try await outcome(of: session, request)
            case .session(let session, let isNew):
                guard isOffer else { return try await receive(request, session, context, isNew) }
                return response(isNew ? .created : .ok, of: session)
            }
        }
    }

    /// Whether a `POST` of that type describes a build, instead of bringing one.
    package static func isOffer(_ contentType: String?) -> Bool {
        contentType?.hasPrefix("application/json") == true
    }

    /// Answers `HEAD` and `GET /api/v1/uploads/{upload}`.
    @Sendable func look(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let session = try await session(request, context)
            guard request.method == .head else { return try state(of: session) }
            let desk = desk
            let now = site.now
            if session.record.state == .receiving {
                _ = try await desk.writing { try session.takeOver(at: now) }
            }
            return response(.noContent, of: session, isBare: true)
        }
    }

    /// Answers `PATCH /api/v1/uploads/{upload}`.
    @Sendable func append(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let session = try await session(request, context)
            guard request.headers[.contentType] == UploadField.mediaType else {
                throw UploadRefusal.malformed("Content-Type", "is not \(UploadField.mediaType)")
            }
            return try await receive(request, session, context, false)
        }
    }

    /// Answers `DELETE /api/v1/uploads/{upload}`.
    @Sendable func cancel(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let session = try await session(request, context)
            guard session.record.state != .publishing else { throw UploadRefusal.isComplete }
            let desk = desk
            try await desk.writing { try desk.cancel(session) }
            return Response(status: .noContent, headers: ResponseFields.common)
        }
    }

    /// Answers `OPTIONS /api/v1/uploads`.
    @Sendable func options(_ request: Request, _ context: RouteContext) async throws -> Response {
        var fields = ResponseFields.common
        fields[.uploadLimit] = limit
        fields[.uploadInterop] = UploadField.interopVersion
        return Response(status: .noContent, headers: fields)
    }

    // MARK: Receiving

    private func receive(
        _ request: Request,
        _ session: UploadSession,
        _ context: RouteContext,
        _ isNew: Bool,
    ) async throws -> Response {
        let asked = try UploadRequest(request)
        guard session.record.state == .receiving else {
            guard asked.offset == session.offer.size, asked.contentLength == 0 else {
                throw UploadRefusal.isComplete
            }
            return try await outcome(of: session, request)
        }
        session.began()
        var isCut = false
        defer { session.ended(cut: isCut) }
        let desk = desk
        let now = site.now
        let turn = try await desk.writing { try session.takeOver(at: now) }
        let missing = session.offer.size - turn.offset
        try asked.check(at: turn.offset, missing: missing)
        try await desk.writing { try desk.leaveRoom(for: asked.contentLength ?? missing) }
        try await interim(request, session, context)

        let count: Int
        do {
            let body = UploadBody(desk: desk, session: session, turn: turn)
            count = try await body.receive(over: context.channel)
        } catch {
            if case UploadRefusal.cut = error { isCut = true }
            try await desk.writing { try session.rest(turn, at: now) }
            throw error
        }
        if let length = asked.contentLength, count - turn.offset < length {
            isCut = true
            try await desk.writing { try session.rest(turn, at: now) }
            throw UploadRefusal.cut(at: count)
        }
        if asked.isComplete, count == session.offer.size {
            try await desk.writing { try desk.complete(session, turn) }
            return try await outcome(of: session, request)
        }
        try await desk.writing { try session.rest(turn, at: site.now) }
        guard !asked.isComplete else { throw UploadRefusal.cut(at: count) }
        return response(isNew ? .created : .noContent, of: session, isBare: !isNew)
    }

    /// What goes out before the body comes in, to whoever waits for it.
    private func interim(
        _ request: Request,
        _ session: UploadSession,
        _ context: RouteContext,
    ) async throws {
        if request.method == .post, request.headers[.uploadInterop] != nil {
            var head = HTTPResponse(
                status: .init(code: 104, reasonPhrase: "Upload Resumption Supported")
            )
            head.headerFields[.location] = location(session)
            head.headerFields[.uploadInterop] = UploadField.interopVersion
            head.headerFields[.uploadLimit] = limit
            try await context.channel.interim(head)
        }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await context.channel.interim(HTTPResponse(status: .continue))
        }
    }

    // MARK: Answers

    /// Waits for the publish, or says at once that it goes on, to whoever prefers that (RFC 7240).
    private func outcome(of session: UploadSession, _ request: Request) async throws -> Response {
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

    private func state(of session: UploadSession) throws -> Response {
        let text = try UploadText.encode(session.status)
        guard let answer = session.record.answer ?? session.failure else { return json(.ok, text) }
        return json(.ok, text.dropLast(2) + ",\"answer\":" + answer.body.dropLast() + "}\n")
    }

    private func response(
        _ status: HTTPResponse.Status,
        of session: UploadSession,
        isBare: Bool = false,
    ) -> Response {
        let state = session.status
        var response =
            isBare
            ? Response(status: status, headers: ResponseFields.common)
            : json(status, (try? UploadText.encode(state)) ?? "{}\n")
        response.headers[.cacheControl] = "no-store"
        response.headers[.location] = location(session)
        response.headers[.uploadOffset] = "\(state.offset)"
        response.headers[.uploadLength] = "\(state.size)"
        response.headers[.uploadComplete] = UploadField.text(state.state != .receiving)
        response.headers[.uploadLimit] = limit
        response.headers[.uploadInterop] = UploadField.interopVersion
        return response
    }

    private func json(_ status: HTTPResponse.Status, _ text: some StringProtocol) -> Response {
        let type = status.code < 400 ? "application/json" : ProblemDocument.mediaType
        return APIAnswer(status: status, type: type, body: Array(text.utf8)).response()
    }

    private func answering(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let refusal as Refusal {
            throw refusal
        } catch let error where BrokenOff.isCause(error) {
            throw Refusal.cut
        } catch {
            let answer = APIAnswer(refusing: error)
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

    // MARK: Parts

    private func session(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> UploadSession {
        let principal = try await SignIn(site: site).bearer(request, context)
        return try desk.session(try context.text("upload"), of: principal)
    }

    private func jsonOffer(_ request: Request) async throws -> UploadOffer {
        let body = try await GatheredBody.gather(
            request,
            atMost: Self.offerBytes,
            from: site.bodies,
            of: .known,
        )
        do {
            return try JSONDecoder().decode(UploadOffer.self, from: Data(body.bytes))
        } catch let error as DecodingError {
            throw UploadRefusal(error)
        }
    }

    /// Without scheme and host: whoever came here knows how to come again.
    private func location(_ session: UploadSession) -> String {
        "\(site.links.base.path)\(Self.path)/\(session.identifier)"
    }

    private var limit: String {
        "max-size=\(desk.limits.largest), max-append-size=\(desk.limits.piece), "
            + "max-age=\(Int(desk.limits.idleTime))"
    }
}
