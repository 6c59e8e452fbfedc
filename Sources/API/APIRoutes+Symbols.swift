import APIDocuments
import Access
import Administration
import Bytes
import Cryptography
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Problems
import Releases
import SiteServices
import Store
import Symbols
import Synchronization
import Uploads

extension APIRoutes {
    private static let release = "/apps/{app}/releases/{release}/symbols"

    /// The bytes of dSYMs, both ways.
    static let symbols: [APIRoute] = [
        APIRoute(.post, release, .onApp(.publish), takesBody: true) { call in
            try await SymbolReception(call: call).document()
        },
        APIRoute(.get, release + "/{uuid}", .onApp(.read)) { call in
            let (app, release) = (try call.parameter("app"), try call.parameter("release"))
            let uuid = ImageUUID(try call.parameter("uuid"))
            let site = call.site
            let (file, stored) = try await site.work { [administration = call.administration] in
                let file = try administration.symbolFile(uuid, of: release, of: app)
                return (file, try site.store.open(file.blob))
            }
            var answer = APIAnswer.stream(type: "application/zip", length: stored.size) { writer in
                var offset = 0
                while offset < stored.size {
                    let range = offset..<min(offset + (1 << 18), stored.size)
                    let piece = try await site.work { [offset] in
                        ByteBuffer(
                            bytes: try stored.source.bytes(at: offset, count: range.count)
                        )
                    }
                    try await writer.write(piece)
                    offset = range.upperBound
                }
            }
            answer.fields[.contentDisposition] =
                "attachment; filename=\"\(file.downloadName)\""
            return answer
        },
    ]
}

/// An archive of dSYMs on its way from the socket into the store.
private struct SymbolReception {
    let call: APICall

    /// Archives that come, or are looked through, at once.
    private static let most = 4
    private static let underWay = Mutex(0)

    func document() async throws -> APIAnswer {
        let (app, release) = (try call.parameter("app"), try call.parameter("release"))
        let isFree = Self.underWay.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
        guard isFree else { throw Refusal.overloaded }
        defer { Self.underWay.withLock { $0 -= 1 } }
        let administration = call.administration
        // A release that is not there is named before gigabytes come.
        try await call.site.work {
            _ = try administration.perform(ListSymbols(of: release, of: app))
        }
        let length = call.fields[.contentLength].flatMap { Int($0) }
        guard (length ?? 0) <= SymbolLimits.archiveBytes else {
            throw SymbolRefusal.tooLarge("", limit: SymbolLimits.archiveBytes)
        }
        let uploads = call.services.uploads
        let incoming = try await uploads.writing { [store = call.site.store] in
            if let free = try store.backend.freeSpace() {
                let reserve = min(uploads.limits.reserve, free)
                // What names no length may have the greatest.
                guard (length ?? SymbolLimits.archiveBytes) <= free - reserve else {
                    throw Refusal.noRoom("free some room on the disk of the store")
                }
            }
            return IncomingSymbols(try store.backend.receive())
        }
        if call.fields[.expect]?.lowercased() == "100-continue" {
            try await call.channel.interim(HTTPResponse(status: .continue))
        }
        let body = try await call.channel.takeBody(
            at: 0,
            atMost: SymbolLimits.archiveBytes,
            on: uploads.writers,
        ) { try incoming.append($0) }
        switch body.end {
        case .whole: break
        case .cut: throw Refusal.cut
        case .tooLong: throw SymbolRefusal.tooLarge("", limit: SymbolLimits.archiveBytes)
        }
        return try await uploads.writing {
            try .json(incoming.keep(with: release, of: app, in: administration))
        }
    }
}

/// The bytes of an archive that came; each call is on one thread, one after the other.
private final class IncomingSymbols: Sendable {
    private struct State {
        let incoming: any IncomingBlob
        let hasher = SHA256Hasher()
    }

    private let state: Mutex<State>

    init(_ incoming: sending any IncomingBlob) {
        state = Mutex(State(incoming: incoming))
    }

    func append(_ window: FullWindow) throws {
        try state.withLock { state in
            unsafe state.hasher.update(window.bytes)
            try unsafe state.incoming.append(window.bytes)
        }
    }

    func keep(
        with release: String,
        of app: String,
        in administration: LocalAdministration,
    ) throws -> SymbolsDocument {
        try state.withLock { state in
            let source = try ZippedSymbols(reading: state.incoming.source())
            let bundles = try SymbolSearch.bundles(in: source, of: "the archive")
            return try administration.addSymbols(
                bundles,
                packed: (state.incoming, state.hasher.finish()),
                to: release,
                of: app,
            )
        }
    }
}
