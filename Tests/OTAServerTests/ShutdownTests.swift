import Foundation
import HTTPServing
import NIOCore
import OTAServer
import Pages
import Store
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ShutdownTests {
    @Test func `a running download ends before the server does`() async throws {
        try await TestSite.run(archiveSize: 30_000_000) { site in
            let path = try await InstallPath.follow(site)
            try await WireClient.secure(site) { client in
                try await client.send("GET \(path.archive) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                while client.buffer.readableBytes < 100_000 { _ = await client.more() }
                try await client.stall()
                site.stop.stop()
                try await Task.sleep(for: .milliseconds(500))
                await #expect(throws: (any Error).self, "no new connection") {
                    try await WireClient.connect(site.port, tls: nil) { _ in }
                }
                try await client.goOn()
                let response = try await client.response()
                #expect(response.body == site.archive)
            }
        }
    }

    @Test func `a download that does not end is cut after the time that is given`() async throws {
        let stopped = Moment()
        try await TestSite.run(
            archiveSize: 30_000_000,
            configure: { configuration, _ in
                configuration.limits.shutdownTime = .seconds(1)
            },
        ) { site in
            let path = try await InstallPath.follow(site)
            try await WireClient.secure(site) { client in
                try await client.send("GET \(path.archive) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                while client.buffer.readableBytes < 100_000 { _ = await client.more() }
                try await client.stall()
                stopped.mark()
                site.stop.stop()
                try await Task.sleep(for: .seconds(3))
                try await client.goOn()
                await #expect(throws: WireClient.ConnectionEnded.self) {
                    try await client.response()
                }
            }
        }
        #expect(stopped.age < .seconds(20))
    }

    /// Otherwise TLS would wait five more seconds for the client's close_notify.
    @Test func `a client that takes nothing, or sends nothing more, is cut with the time`()
        async throws
    {
        let stopped = Moment()
        try await TestSite.run(
            archiveSize: 30_000_000,
            configure: { configuration, _ in
                configuration.limits.shutdownTime = .milliseconds(500)
            },
        ) { site in
            let path = try await InstallPath.follow(site)
            let reader = "GET \(path.archive) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let writer =
                "POST /hooks/app HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nx"
            try await WireClient.secure(site) { slow in
                _ = try await slow.request("GET", "/healthz")
                try await slow.stall()
                try await slow.send(reader)
                try await WireClient.secure(site) { silent in
                    try await silent.send(writer)
                    try await Task.sleep(for: .milliseconds(300))
                    stopped.mark()
                    site.stop.stop()
                    _ = await silent.rest()
                }
                #expect(stopped.age < .seconds(4.5))
            }
        }
    }

    @Test func `an idle connection does not hold the server up`() async throws {
        let stopped = Moment()
        try await TestSite.run { site in
            try await WireClient.secure(site) { client in
                _ = try await client.request("GET", "/healthz")
                stopped.mark()
                site.stop.stop()
                _ = await client.rest()
            }
        }
        #expect(stopped.age < .seconds(20), "not the thirty seconds that downloads may take")
    }

    @Test func `a second server on one store is refused`() async throws {
        try await TestSite.run { site in
            let store = try OTAStore.open(at: site.folder.appending(path: "store").path())
            var configuration = ServerConfiguration(assets: try .init())
            configuration.port = 0
            let server = WebServer(configuration, store: store)
            await #expect(throws: StoreFailure.self) { try await server.run { _ in } }
        }
    }
}

extension ShutdownTests {
    @Test func `a port that is taken is named`() async throws {
        try await TestSite.run { site in
            let failure = await #expect(throws: ListenFailure.self) {
                try await TestSite.run(configure: { configuration, _ in
                    configuration.port = site.port
                }) { _ in }
            }
            #expect(
                failure?.description
                    == "cannot listen on 127.0.0.1:\(site.port): address already in use"
            )
        }
    }

    @Test func `a host that nobody has is named`() async throws {
        let failure = await #expect(throws: ListenFailure.self) {
            try await TestSite.run(configure: { configuration, _ in
                configuration.host = "nope.invalid"
            }) { _ in }
        }
        #expect(failure?.cause == .unknownHost)
        #expect(failure?.id == "server.unknown-host")
    }
}

/// A point in time from which a test measures.
private final class Moment: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    func mark() {
        instant.withLock { $0 = .now }
    }

    var age: Duration { ContinuousClock.now - instant.withLock { $0 } }
}
