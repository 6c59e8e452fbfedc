package import HTTPTypes
package import Hummingbird
package import NIOCore

/// A whole response, stored as the bytes to send, for resources that are requested often.
package struct CachedResponse: Sendable {
    /// The part of the response that a request asks for.
    enum Form { case full, head, notModified }

    /// The `Connection` field of the response.
    enum Connection { case unsaid, close, keepAlive }

    /// The pattern of the route that created it, for metrics and the log.
    package let route: String
    package let status: Int
    package let fields: HTTPFields
    package let body: ByteBuffer
    /// Called each time the response is sent from the cache.
    package var whenGiven: (@Sendable (_ client: String) -> Void)?
    /// Bytes written to a connection at once; a larger body is sent in pieces of this size, as fast as
    /// the client reads it.
    package static let piece = 64 << 10

    private let head: ByteBuffer
    private let notModifiedHead: ByteBuffer

    /// - Parameters:
    ///   - route: the pattern of the route that creates it.
    ///   - status: the response's status.
    ///   - fields: the response's fields, without `Content-Length`.
    ///   - body: the whole body.
    package init(route: String, status: HTTPResponse.Status, fields: HTTPFields, body: ByteBuffer) {
        self.route = route
        self.status = status.code
        self.body = body
        var fields = fields
        fields[.contentLength] = String(body.readableBytes)
        self.fields = fields
        head = Self.head(status, fields)
        fields[.contentLength] = nil
        fields[.contentType] = nil
        notModifiedHead = Self.head(.notModified, fields)
    }

    /// The strong entity tag, with its quotes; nil for a response that must not be cached.
    package var etag: String? { fields[.eTag] }

    func capacity(_ form: Form) -> Int {
        head.readableBytes + 96 + (form == .full ? body.readableBytes : 0)
    }

    /// Writes the response.
    ///
    /// - Returns: the number of bytes of its body.
    func write(_ form: Form, _ connection: Connection, to buffer: inout ByteBuffer) -> Int {
        buffer.writeImmutableBuffer(form == .notModified ? notModifiedHead : head)
        buffer.writeStaticString("date: ")
        buffer.writeString(HTTPDate.now)
        switch connection {
        case .unsaid: buffer.writeStaticString("\r\n\r\n")
        case .close: buffer.writeStaticString("\r\nconnection: close\r\n\r\n")
        case .keepAlive: buffer.writeStaticString("\r\nconnection: keep-alive\r\n\r\n")
        }
        guard form == .full else { return 0 }
        return buffer.writeImmutableBuffer(body)
    }

    /// Returns the response for a route to return: 304 if the request already has this entity tag.
    package func response(to request: Request) -> Response {
        if let etag, EntityTag.isListed(etag, in: request.headers[values: .ifNoneMatch]) {
            var fields = fields
            fields[.contentLength] = nil
            fields[.contentType] = nil
            return Response(status: .notModified, headers: fields)
        }
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: fields,
            body: responseBody,
        )
    }

    private var responseBody: ResponseBody {
        let body = body
        guard body.readableBytes > Self.piece else { return ResponseBody(byteBuffer: body) }
        return ResponseBody(contentLength: body.readableBytes) { writer in
            var rest = body
            while let piece = rest.readSlice(length: min(Self.piece, rest.readableBytes)),
                piece.readableBytes > 0
            {
                try await writer.write(piece)
            }
            try await writer.finish(nil)
        }
    }

    private static func head(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for field in fields {
            buffer.writeString("\(field.name.canonicalName): \(field.value)\r\n")
        }
        return buffer
    }
}
