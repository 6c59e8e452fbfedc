import Cryptography
import Foundation
import Uploads

/// The requests of an upload.
struct UploadRequests: Sendable {
    private static let path = "/api/v1/uploads"

    let connection: ServerConnection

    func begin(_ offer: UploadOffer) async throws -> UploadResponse {
        var request = ServerRequest(.post, Self.path)
        request.fields = [("content-type", "application/json"), ("prefer", "respond-async")]
        request.body = Array(try JSONEncoder().encode(offer))
        return try await send(request)
    }

    func append(
        _ upload: UploadIdentifier,
        _ piece: UploadFile,
        isLast: Bool,
    ) async throws -> UploadResponse {
        var request = ServerRequest(.patch, "\(Self.path)/\(upload)")
        request.fields = [
            ("content-type", UploadField.mediaType),
            (UploadField.offset, "\(piece.range.lowerBound)"),
            (UploadField.complete, UploadField.text(isLast)),
            (UploadField.interop, UploadField.interopVersion),
        ]
        if isLast { request.fields.append(("prefer", "respond-async")) }
        return try await send(request, piece)
    }

    func offset(of upload: UploadIdentifier) async throws -> UploadResponse {
        try await send(ServerRequest(.head, "\(Self.path)/\(upload)"))
    }

    func status(of upload: UploadIdentifier) async throws -> UploadResponse {
        try await send(ServerRequest(.get, "\(Self.path)/\(upload)"))
    }

    func cancel(_ upload: UploadIdentifier) async throws -> UploadResponse {
        try await send(ServerRequest(.delete, "\(Self.path)/\(upload)"))
    }

    private func send(
        _ request: ServerRequest,
        _ piece: UploadFile? = nil,
    ) async throws -> UploadResponse {
        do {
            return UploadResponse(try await connection.answer(to: request, sending: piece))
        } catch let failure as ServerFailure {
            throw UploadFailure.server(failure)
        }
    }
}
