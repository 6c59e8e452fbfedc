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
import NIOPosix
import Problems
import Releases
import SiteServices
import Store
import Symbols
import Synchronization
import Uploads

extension APIRoutes {
    private static let release = "/apps/{app}/releases/{release}/symbols"

    /// Uploads and downloads of dSYMs.
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

/// Receives an archive of dSYMs from the connection into the store.
private struct SymbolReception {
    let call: APICall

    private var uploads: UploadService { call.services.uploads }

    func document() async throws -> APIAnswer {
        let place = SymbolPlaces.Place(
            uploader: call.principal.uploader,
            network: Guesser(at: "symbols", from: call.address),
        )
        let places = uploads.symbolPlaces
        try places.enter(place)
        defer { places.leave(place) }
        let (app, release) = (try call.parameter("app"), try call.parameter("release"))
        let administration = call.administration
        // Reject an unknown release before gigabytes are sent.
        try await call.site.work {
            let admin = administration.admin
            _ = try admin.release(named: release, of: admin.app(named: app))
        }
        let length = call.fields[.contentLength].flatMap { Int($0) }
        guard (length ?? 0) <= SymbolLimits.archiveBytes else {
            throw SymbolRefusal.tooLarge("", limit: SymbolLimits.archiveBytes)
        }
        // Without a length, assume the largest size.
        let announced = length ?? SymbolLimits.archiveBytes
        let incoming = try await begin(announced)
        places.promise(announced)
        defer { places.promise(-announced) }
        if call.fields[.expect]?.lowercased() == "100-continue" {
            try await call.channel.interim(HTTPResponse(status: .continue))
        }
        let pace = SymbolPace()
        let (channel, threads) = (call.channel, uploads.symbolWriters)
        let body = try await pace.watch(uploads.limits.symbols) {
            try await channel.takeBody(
                at: 0,
                atMost: SymbolLimits.archiveBytes,
                on: threads,
            ) { window in
                unsafe pace.arrived(window.bytes.count)
                try incoming.append(window)
            }
        }
        switch body.end {
        case .whole: break
        case .cut where pace.wasTooSlow:
            throw SymbolRefusal.tooSlow(rate: uploads.limits.symbols.rate)
        case .cut: throw Refusal.cut
        case .tooLong: throw SymbolRefusal.tooLarge("", limit: SymbolLimits.archiveBytes)
        }
        return try await uploads.symbolReaders.runIfActive {
            try .json(incoming.keep(with: release, of: app, in: administration))
        }
    }

    /// Creates the file for the archive if there is enough space.
    private func begin(_ announced: Int) async throws -> IncomingSymbols {
        let uploads = uploads
        let store = call.site.store
        return try await uploads.symbolWriters.runIfActive {
            if let free = try store.backend.freeSpace() {
                let taken =
                    min(uploads.limits.reserve, free) + uploads.reserved()
                    + uploads.symbolPlaces.promised
                guard announced <= free - taken else {
                    throw Refusal.noRoom("free some room on the disk of the store")
                }
            }
            return IncomingSymbols(try store.backend.receive())
        }
    }
}

/// The received bytes of an archive; its calls come one at a time, each from one thread.
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
