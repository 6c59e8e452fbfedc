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

/// The log of a build as text: what there is, or also what comes until the build has ended.
struct BuildLogAnswer: Sendable {
    let call: APICall
    let mirror: String
    let build: Int

    /// How often the log of a running build is checked.
    private static let beat = Duration.milliseconds(500)
    /// A follower is let go after so many beats without a line, and comes back with its offset: most
    /// proxies cut what is silent for a minute.
    private static let patience = 90
    private static let type = "text/plain; charset=utf-8"

    /// What is behind an offset now, at most a megabyte; `log-complete` says whether more will come.
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
