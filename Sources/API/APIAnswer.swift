import APIDocuments
import Administration
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import SiteServices

/// What an address of the API answers.
struct APIAnswer: Sendable {
    let status: HTTPResponse.Status
    let type: String
    let body: [UInt8]
    /// Other fields, such as `ETag`.
    var fields: HTTPFields = [:]
    /// Writes what comes instead of the body, piece by piece.
    var stream: APIStream?

    /// A document as JSON, the keys sorted.
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

    /// The same with the version of what it shows, which a change can be bound to.
    func tagged(_ version: DocumentTag) -> APIAnswer {
        var answer = self
        answer.fields[.eTag] = version.text
        return answer
    }

    /// The same with where the new thing is.
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

/// A body that is not in memory.
struct APIStream: Sendable {
    /// The size in bytes; nil if it is not known yet.
    let length: Int?
    let write: @concurrent @Sendable (inout any ResponseBodyWriter) async throws -> Void
}
