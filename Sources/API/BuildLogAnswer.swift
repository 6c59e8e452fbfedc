import APIDocuments
import Access
import Administration
import Foundation
import HTTPTypes
import Hummingbird
import MirrorBuilds
import Mirrors
import NIOCore
import SiteServices
import Store

/// The log of a build as text: the current contents, or the log as it grows until the build has ended.
struct BuildLogAnswer: Sendable {
    let call: APICall
    let mirror: String
    let build: Int

    /// The interval at which the log of a running build is read.
    private static let beat = Duration.milliseconds(500)
    /// The number of intervals without new output after which the response ends, because most proxies close
    /// a connection that is idle for a minute.
    ///
    /// The client then continues at its offset.
    private static let patience = 90
    private static let type = "text/plain; charset=utf-8"

    /// The log after an offset, at most 1 MiB; the header field `log-complete` says whether the log is
    /// complete.
    func piece(from offset: Int) async throws -> APIAnswer {
        let piece = try await read(from: offset)
        var answer = APIAnswer(status: .ok, type: Self.type, body: piece.bytes)
        answer.fields[.logComplete] = piece.isOver ? "?1" : "?0"
        return answer
    }

    func following(from offset: Int) async throws -> APIAnswer {
        let first = try await read(from: offset)
        return .stream(type: Self.type) { writer in
            var (piece, offset, silence) = (first, offset, 0)
            while true {
                if !piece.bytes.isEmpty {
                    try await writer.write(ByteBuffer(bytes: piece.bytes))
                    offset += piece.bytes.count
                    silence = 0
                }
                if piece.isOver || silence >= Self.patience { return }
                if piece.bytes.isEmpty {
                    silence += 1
                    try await Task.sleep(for: Self.beat)
                }
                // The token may have been revoked, or the mirror removed, in the meantime.
                guard try await isAllowed() else { return }
                do {
                    piece = try await read(from: offset)
                } catch is MirrorRefusal {
                    return
                }
            }
        }
    }

    private func read(from offset: Int) async throws -> LogPiece {
        let (local, mirror, build) = (call.administration, mirror, build)
        return try await call.site.work { try local.log(of: build, mirror, from: offset) }
    }

    private func isAllowed() async throws -> Bool {
        let (site, token) = (call.site, call.principal.token ?? "")
        return try await site.work {
            do {
                return try site.store.tokens().principal(ofToken: token, at: site.now).may(.admin)
            } catch is TokenRefusal {
                return false
            }
        }
    }
}

extension HTTPField.Name {
    static let logComplete = HTTPField.Name("log-complete") ?? .server
}
