import APIDocuments
import Access
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Problems
import Releases
import SiteServices
import Uploads

/// `/api/v1/uploads`: builds in pieces, according to *Resumable Uploads for HTTP*
/// (draft-ietf-httpbis-resumable-upload).
///
/// `POST` offers a build, with JSON or its first bytes; `HEAD` returns the number of bytes received,
/// `PATCH` appends, `DELETE` cancels, and `GET` returns the state and, for a day, the result.
struct UploadRoutes: Sendable {
    static let path = "/api/v1/uploads"

    /// The methods and paths with their handlers; `HEAD` is handled like `GET`.
    static let operations:
        [(
            method: HTTPRequest.Method, path: String,
            handler: @Sendable (UploadRoutes) -> RouteHandler
        )] =
            [
                (.get, path, { $0.list }), (.post, path, { $0.begin }),
                (.options, path, { $0.options }),
                (.head, path + "/{upload}", { $0.look }), (.get, path + "/{upload}", { $0.look }),
                (.post, path + "/{upload}", { $0.publish }),
                (.patch, path + "/{upload}", { $0.append }),
                (.delete, path + "/{upload}", { $0.cancel }),
            ]

    /// The routes; the handlers of requests with bytes of builds stream their bodies.
    var table: RouteTable {
        var handlers: [String: [HTTPRequest.Method: RouteHandler]] = [:]
        for operation in Self.operations {
            handlers[operation.path, default: [:]][operation.method] = operation.handler(self)
        }
        return handlers.map { path, methods in
            // A POST to an upload publishes it and has no body.
            let isOne = path != Self.path
            return Route(
                path,
                methods,
                body: .counted(isTaken: { Self.bringsBuild($0) && !(isOne && $0.method == .POST) }),
            )
        }
    }

    /// Whether the body of a request contains bytes of a build.
    private static func bringsBuild(_ head: HTTPRequestHead) -> Bool {
        switch head.method {
        case .PATCH: true
        case .POST: !isOffer(head.headers.first(name: "content-type"))
        default: false
        }
    }

    /// The largest offer in bytes: the notes and a little more.
    private static let offerBytes = 160 << 10

    let site: Site
    let uploads: UploadService

    /// Answers `POST /api/v1/uploads`.
    @Sendable func begin(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering(request, context) { principal in
            try principal.requirePublish(on: nil)
            let isOffer = Self.isOffer(request.headers[.contentType])
            let offer =
                isOffer
                ? try await jsonOffer(request) : try UploadRequest.offer(of: request)
            let uploads = uploads
            let beginning = try await uploads.writing { try uploads.begin(offer, by: principal) }
            switch beginning {
            case .known(let session):
                return try await outcome(of: session, request)
            case .session(let session, let isNew):
                guard isOffer else { return try await receive(request, session, context, isNew) }
                return response(isNew ? .created : .ok, of: session)
            }
        }
    }

    /// Whether a `POST` with this content type describes a build instead of containing one.
    private static func isOffer(_ contentType: String?) -> Bool {
        contentType?.hasPrefix("application/json") == true
    }

    /// Answers `HEAD` and `GET /api/v1/uploads/{upload}`.
    @Sendable func look(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering(request, context) { principal in
            let session = try uploads.session(try context.text("upload"), of: principal)
            guard request.method == .head else { return try state(of: session) }
            let uploads = uploads
            let now = site.now
            if session.record.state == .receiving {
                _ = try await uploads.writing { try session.takeOver(at: now) }
            }
            return response(.noContent, of: session, isBare: true)
        }
    }

    /// Answers `PATCH /api/v1/uploads/{upload}`.
    @Sendable func append(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering(request, context) { principal in
            let session = try uploads.session(try context.text("upload"), of: principal)
            guard request.headers[.contentType] == UploadField.mediaType else {
                throw UploadRefusal.malformed("Content-Type", "is not \(UploadField.mediaType)")
            }
            return try await receive(request, session, context, false)
        }
    }

    /// Answers `POST /api/v1/uploads/{upload}`: publishes a checked build.
    @Sendable func publish(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering(request, context) { principal in
            let session = try uploads.session(try context.text("upload"), of: principal)
            let uploads = uploads
            try await uploads.writing { try uploads.publish(session) }
            return try await outcome(of: session, request)
        }
    }

    /// Answers `GET /api/v1/uploads`: lists the uploads of the token, or all with the right `admin`.
    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering(request, context) { principal in
            try principal.requirePublish(on: nil)
            let own = uploads.sessions.filter { session in
                session.record.state != .finished
                    && (principal.may(.admin) || session.token == principal.uploader)
            }
            let document = UploadsDocument(
                uploads: own.sorted { $0.record.created < $1.record.created }
                    .map { UploadEntry($0) }
            )
            return json(.ok, try WireJSON.document(document))
        }
    }

    /// Answers `DELETE /api/v1/uploads/{upload}`, for its uploader and for admins.
    @Sendable func cancel(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering(request, context) { principal in
            let session = try uploads.session(
                try context.text("upload"),
                of: principal,
                isForAdmins: true,
            )
            guard session.record.state != .publishing else { throw UploadRefusal.isComplete }
            let uploads = uploads
            try await uploads.writing { try uploads.cancel(session) }
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
        let now = site.now
        let hasPromise = !session.isAbandoned(at: now, for: uploads.limits.promiseTime)
        session.began()
        var isCut = false
        defer { session.ended(cut: isCut) }
        let uploads = uploads
        let isFromStart = request.method == .post
        let lease = try await uploads.writing {
            let lease = try session.takeOver(at: now)
            // A POST contains a build from its first byte, so bytes of an earlier request are discarded.
            guard isFromStart, lease.offset > 0 else { return lease }
            return try session.restart(lease, at: now)
        }
        let missing = session.offer.size - lease.offset
        try asked.check(at: lease.offset, missing: missing)
        try await uploads.writing {
            try uploads.leaveRoom(
                for: asked.contentLength ?? missing,
                of: session,
                hasPromise: hasPromise,
            )
        }
        try await interim(request, session, context)

        let count: Int
        do {
            let body = UploadBody(uploads: uploads, session: session, lease: lease)
            count = try await body.receive(over: context.channel)
        } catch {
            if case UploadRefusal.cut = error { isCut = true }
            try await uploads.writing { try session.rest(lease, at: now) }
            throw error
        }
        if let length = asked.contentLength, count - lease.offset < length {
            isCut = true
            try await uploads.writing { try session.rest(lease, at: now) }
            throw UploadRefusal.cut(at: count)
        }
        if asked.isComplete, count == session.offer.size {
            try await uploads.writing { try uploads.complete(session, lease) }
            return try await outcome(of: session, request)
        }
        try await uploads.writing { try session.rest(lease, at: site.now) }
        guard !asked.isComplete else { throw UploadRefusal.cut(at: count) }
        return response(isNew ? .created : .noContent, of: session, isBare: !isNew)
    }

    /// Sends the interim response for a client that waits for one before it sends the body.
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

    // MARK: Parts

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
}
