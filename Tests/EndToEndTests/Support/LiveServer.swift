import Cryptography
import Foundation
import HTTPServing
import Logging
import OTAServer
import Pages
import Phone
import Releases
import Sample
import Store
import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A real server on free ports of this machine, over a store in a temporary folder.
struct LiveServer: Sendable {
    let store: OTAStore
    let addresses: ServerAddresses
    /// The folder of all the test's files; the store is in `store`.
    let folder: URL
    /// The authority that signs the published builds.
    let authority: SigningAuthority

    var base: String { addresses.baseURL.rawValue }
    var plainBase: String { "http://127.0.0.1:\(addresses.plainPort ?? 0)" }
    var storePath: String { folder.appending(path: "store").path() }

    /// Serves while `body` runs, then stops as after SIGTERM; returns the server's log.
    @discardableResult
    static func run(
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (LiveServer) async throws -> Void,
    ) async throws -> String {
        let authority = try SigningAuthority.cached()
        return try await withTemporaryFolder { folder in
            let store = try OTAStore.openOrCreate(
                at: folder.appending(path: "store").path(),
                now: Date(),
            )
            let log = folder.appending(path: "server.log")
            let descriptor = unsafe open(log.path(), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            defer { close(descriptor) }
            var configuration = ServerConfiguration(assets: try Assets())
            configuration.port = 0
            configuration.plainPort = 0
            configuration.logLevel = .debug
            configuration.log = LogSink(descriptor: descriptor)
            configure(&configuration)
            let server = WebServer(configuration, store: store)
            try await serve(server) { addresses in
                try await body(
                    LiveServer(
                        store: store,
                        addresses: addresses,
                        folder: folder,
                        authority: authority,
                    )
                )
            }
            return try String(contentsOf: log, encoding: .utf8)
        }
    }

    private static func serve(
        _ server: WebServer,
        _ body: (ServerAddresses) async throws -> Void,
    ) async throws {
        let stop = StopSignal()
        let (ready, opened) = AsyncStream.makeStream(of: ServerAddresses.self)
        async let serving: Void = {
            defer { opened.finish() }
            try await server.run(until: stop) { opened.yield($0) }
        }()
        var waiting = ready.makeAsyncIterator()
        do {
            if let addresses = await waiting.next(isolation: #isolation) {
                try await body(addresses)
            }
        } catch {
            stop.stop()
            try await serving
            throw error
        }
        stop.stop()
        try await serving
    }
}
