import APIDocuments
import Administration
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import SiteServices

/// A response of the API.
struct APIAnswer: Sendable {
    let status: HTTPResponse.Status
    let type: String
    let body: [UInt8]
    /// Other fields, such as `ETag`.
    var fields: HTTPFields = [:]
    /// Writes the body piece by piece, in place of `body`.
    var stream: APIStream?

    /// A JSON document with sorted keys.
    static func json(
        _ document: some Encodable,
        status: HTTPResponse.Status = .ok,
    ) throws -> APIAnswer {
        let body = Array(try WireJSON.document(document).utf8)
        return APIAnswer(status: status, type: "application/json", body: body)
    }

    static func stream(
        type: String,
        length: Int? = nil,
        _ write:
            @escaping @concurrent @Sendable (inout any ResponseBodyWriter) async throws -> Void,
    ) -> APIAnswer {
        var answer = APIAnswer(status: .ok, type: type, body: [])
        answer.stream = APIStream(length: length, write: write)
        return answer
    }

    static func text(_ text: String, type: String) -> APIAnswer {
        APIAnswer(status: .ok, type: type, body: Array(text.utf8))
    }

    /// The answer with the entity tag of what it shows, which a change can require with `If-Match`.
    func tagged(_ version: DocumentTag) -> APIAnswer {
        var answer = self
        answer.fields[.eTag] = version.text
        return answer
    }

    /// The answer with the URL of what was created.
    func at(_ location: String) -> APIAnswer {
        var answer = self
        answer.fields[.location] = location
        return answer
    }

    func response() -> Response {
        var headers = ResponseFields.of(type: type, cache: "no-store")
        headers.append(contentsOf: fields)
        let body =
            stream.map { stream in
                ResponseBody(contentLength: stream.length) { writer in
                    try await stream.write(&writer)
                    try await writer.finish(nil)
                }
            } ?? ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        return Response(status: status, headers: headers, body: body)
    }
}

/// A streamed body.
struct APIStream: Sendable {
    /// The size in bytes; nil if unknown.
    let length: Int?
    let write: @concurrent @Sendable (inout any ResponseBodyWriter) async throws -> Void
}
