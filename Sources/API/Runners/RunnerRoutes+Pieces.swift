import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import Runners
import SiteServices
import Store
import Uploads

/// Receives the log and the archive of a stage in pieces.
extension RunnerRoutes {
    /// Answers `PATCH …/log?offset=N`.
    @Sendable func log(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let visit = try await visit(request, context)
            let (offset, length) = try Self.piece(request, atMost: Self.logPiece, of: .log)
            let stage = try await site.work { try visit.renewed() }
            return try await reception.growing(try visit.logPath()) { file in
                let log = StageLog(file: file, limit: stage.limits.logBytes)
                let (turn, count) = try await uploads.writing { try file.takeOver() }
                try log.check(offset, at: count)
                let taken = try await take(
                    request,
                    context,
                    at: offset,
                    Self.logPiece,
                    tooLong: .pieceTooLarge(.log, limit: Self.logPiece),
                ) {
                    try visit.requireLease()
                    try log.append($0, in: turn)
                }
                if let length, taken < length { throw Refusal.cut }
                // Bytes that arrive after the lease has ended are in no build's log, so they are not
                // acknowledged.
                try await site.work { try visit.requireLease() }
                let size = try await uploads.writing { try file.size() }
                return try json(
                    RunnerAnswer.Log(logBytes: offset + taken, isLogFull: log.isFull(at: size))
                )
            }
        }
    }

    /// Answers `PATCH …/archive?offset=N`.
    @Sendable func archive(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await answering {
            let visit = try await visit(request, context)
            let (offset, length) = try Self.piece(request, atMost: Self.archivePiece, of: .archive)
            let stage = try await site.work { try visit.renewed() }
            let limit = stage.limits.diskBytes
            return try await reception.growing(try visit.archivePath()) { file in
                let (turn, count) = try await uploads.writing { try file.takeOver() }
                guard offset == count else {
                    throw RunnerRefusal.wrongOffset(.archive, expected: count)
                }
                let most = limit - count
                guard most >= 0, (length ?? 0) <= most else {
                    throw RunnerRefusal.tooLarge(.archive, limit: limit)
                }
                try await uploads.writing {
                    try leaveRoom(for: length ?? min(most, Self.archivePiece))
                }
                let taken = try await take(
                    request,
                    context,
                    at: offset,
                    min(most, Self.archivePiece),
                    tooLong: most < Self.archivePiece
                        ? .tooLarge(.archive, limit: limit)
                        : .pieceTooLarge(.archive, limit: Self.archivePiece),
                ) {
                    try visit.requireLease()
                    try unsafe file.append($0.bytes, in: turn, of: .archive)
                }
                if let length, taken < length { throw Refusal.cut }
                try await site.work { try visit.requireLease() }
                return try json(RunnerAnswer.Archive(archiveBytes: offset + taken))
            }
        }
    }

    private func leaveRoom(for bytes: Int) throws {
        guard let free = try site.store.backend.freeSpace() else { return }
        guard bytes <= free - min(uploads.limits.reserve, free) else {
            throw RunnerRefusal.noRoom(bytes: bytes)
        }
    }

    /// The offset of a piece, and its length if known.
    private static func piece(
        _ request: Request,
        atMost limit: Int,
        of file: RunnerRefusal.StageFile,
    ) throws(RunnerRefusal) -> (offset: Int, length: Int?) {
        guard let text = request.uri.queryParameters["offset"], let offset = Int(text),
            (0...(1 << 50)).contains(offset)
        else { throw .badReport("offset", "the number of bytes before the piece") }
        let length = request.headers[.contentLength].flatMap { Int($0) }
        if let length, length > limit { throw .pieceTooLarge(file, limit: limit) }
        let isChunked = request.headers[.transferEncoding] != nil
        return (offset, length ?? (isChunked ? nil : 0))
    }

    /// Receives a piece; if the connection is interrupted, the bytes received so far are kept.
    ///
    /// - Returns: the number of bytes received.
    private func take(
        _ request: Request,
        _ context: RouteContext,
        at offset: Int,
        _ limit: Int,
        tooLong: RunnerRefusal,
        _ append: @escaping @Sendable (FullWindow) throws -> Void,
    ) async throws -> Int {
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await context.channel.interim(HTTPResponse(status: .continue))
        }
        let body = try await context.channel.takeBody(
            at: offset,
            atMost: limit,
            on: uploads.writers,
            append,
        )
        switch body.end {
        case .whole: return body.count
        case .cut: throw Refusal.cut
        case .tooLong: throw tooLong
        }
    }
}
