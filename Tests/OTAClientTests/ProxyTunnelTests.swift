import APIDocuments
import Administration
import Cryptography
import Foundation
import NIOCore
import NIOPosix
import Problems
import Releases
import Synchronization
import TestSupport
import Testing
import Uploads

@testable import OTAClient

/// Connections through a proxy: tinyproxy, and programs that are no proxies.
struct ProxyTunnelTests {
    private static let apps =
        "HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n" + #"{"schema": 1, "apps": []}"#

    @Test(.enabled(if: ForwardProxy.isHere, "tinyproxy is not on this machine"))
    func `every kind of trust holds through a proxy`() async throws {
        try await withTemporaryFolder { folder in
            try await ForwardProxy.run(in: folder) { proxy in
                try await ScriptedServer.run(saying: Self.apps) { server in
                    for trust in server.everyTrust {
                        let connection = try server.connection(
                            trusting: trust,
                            through: "http://\(proxy.address)",
                        )
                        let found = try await RemoteAdministration(connection).perform(ListApps())
                        #expect(found.apps.isEmpty)
                    }
                    // Clients that check the certificate first connect twice.
                    let address = "127.0.0.1:\(server.port)"
                    #expect(try proxy.requests() == Array(repeating: address, count: 5))
                }
            }
        }
    }

    @Test(.enabled(if: ForwardProxy.isHere, "tinyproxy is not on this machine"))
    func `a server is held to its own name, and not to the proxy's`() async throws {
        try await withTemporaryFolder { folder in
            try await ForwardProxy.run(in: folder) { proxy in
                // The proxy's address is 127.0.0.2.
                for (name, host, isRight) in [
                    ("127.0.0.2", "127.0.0.1", false), ("localhost", "127.0.0.1", false),
                    ("localhost", "localhost", true), ("127.0.0.1", "localhost", false),
                    ("127.0.0.1", "127.0.0.1", true),
                ] {
                    try await ScriptedServer.run(saying: Self.apps, as: name) { server in
                        for trust in server.trustInAuthority {
                            let connection = try server.connection(
                                to: host,
                                trusting: trust,
                                through: proxy.address,
                            )
                            let told = await Self.failure(of: connection)?.problem
                            #expect(told?.id == (isRight ? nil : "server.untrusted"))
                            let names = "its certificate is for \(name), not for \(host)"
                            #expect(told?.message.contains(names) == (isRight ? nil : true))
                        }
                        #expect(server.heardText.isEmpty == !isRight)
                    }
                }
            }
        }
    }

    @Test(.enabled(if: ForwardProxy.isHere, "tinyproxy is not on this machine"))
    func `a stranger behind a proxy is told nothing`() async throws {
        try await withTemporaryFolder { folder in
            try await ForwardProxy.run(in: folder) { proxy in
                try await ScriptedServer.run(saying: Self.apps) { server in
                    let other = try ServerIdentity(for: "127.0.0.1")
                    for trust in [ServerTrust.system] + other.everyTrust {
                        let connection = try server.connection(
                            trusting: trust,
                            through: proxy.address,
                        )
                        let failure = await Self.failure(of: connection)
                        #expect(failure?.problem.id == "server.untrusted")
                    }
                    #expect(server.heardText.isEmpty)
                }
            }
        }
    }

    @Test(.enabled(if: ForwardProxy.isHere, "tinyproxy is not on this machine"))
    func `a proxy that is spoken to over TLS must be trusted too`() async throws {
        try await withTemporaryFolder { folder in
            try await ForwardProxy.run(in: folder) { plain in
                try await ScriptedServer.run(saying: Self.apps) { server in
                    let cases: [(scheme: String, isTrusted: Bool, id: String?)] = [
                        ("https", true, nil), ("https", false, "proxy.untrusted"),
                        ("http", true, "proxy.cut"),
                    ]
                    try await SecureFront.run(before: plain.address) { address, authority in
                        for (scheme, isTrusted, id) in cases {
                            let authorities = [server.authority] + (isTrusted ? [authority] : [])
                            let connection = try server.connection(
                                trusting: .authorities(authorities),
                                through: "\(scheme)://\(address)",
                            )
                            let failure = await Self.failure(of: connection)
                            #expect(failure?.problem.id == id, "\(scheme): \(failure as Any)")
                        }
                    }
                    #expect(try plain.requests().count == 1)
                }
            }
        }
    }

    @Test func `the proxy is told host, port and password, and nothing else`() async throws {
        try await ScriptedServer.run(saying: Self.apps) { server in
            try await ScriptedProxy.run(saying: "HTTP/1.1 407 Who\r\n\r\n") { address, heard in
                let connection = try server.connection(through: "c%20i:p%40:%2F@\(address)")
                _ = await Self.failure(of: connection)
                let pair = Data("c i:p@:/".utf8).base64EncodedString()
                #expect(
                    heard.text == """
                        CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r
                        host: 127.0.0.1:\(server.port)\r
                        user-agent: ota\r
                        proxy-authorization: Basic \(pair)\r
                        \r

                        """
                )
            }
            #expect(server.heardText.isEmpty)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 407 Who\r\nContent-Length: 3\r\n\r\nwho", "proxy.not-authorized", false),
        ("HTTP/1.0 401 Unauthorized\r\n\r\n<html>", "proxy.not-authorized", false),
        ("HTTP/1.1 403 Filtered\r\n\r\n<html>", "proxy.refused", false),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 Filtered\r\n\r\n", "proxy.refused", false),
        ("HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\n\r\n", "proxy.refused", false),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "proxy.refused", false),
        ("HTTP/1.1 429 Slowly\r\n\r\n", "proxy.refused", true),
        ("HTTP/1.1 500 Unable to connect\r\n\r\n", "proxy.unable", true),
        ("HTTP/1.1 502 Bad Gateway\r\n\r\n", "proxy.unable", true),
        ("HTTP/1.1 504 Timeout\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "proxy.unable", true),
        ("HTTP/1.1 200", "proxy.cut", true),
        ("HTTP/1.1 200 OK\r\nVia: x", "proxy.cut", true),
        ("", "proxy.cut", true),
        ("SSH-2.0-OpenSSH\r\n\r\n", "proxy.not-understood", false),
        ("HTTP/2.7 200 OK\r\n\r\n", "proxy.not-understood", false),
        (
            "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 200_000))\r\n\r\n",
            "proxy.not-understood", false,
        ),
        // From here on, the server does not respond.
        ("HTTP/1.1 200 OK\r\n\r\n", "server.cut", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "server.cut", true),
        ("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "server.cut", true),
        ("HTTP/1.1 204 Yes\r\nTransfer-Encoding: chunked\r\n\r\n", "server.cut", true),
    ])
    func `what a proxy refuses is told, and tried again where that may help`(
        text: String,
        id: String,
        isPassing: Bool,
    ) async throws {
        try await withTemporaryFolder { folder in
            try await ScriptedServer.run(saying: Self.apps) { server in
                try await ScriptedProxy.run(saying: text) { address, _ in
                    for trust in server.everyTrust {
                        let connection = try server.connection(
                            trusting: trust,
                            through: "http://ci:hunter2@\(address)",
                        )
                        let failure = await Self.failure(of: connection)
                        let told = try #require(failure?.problem)
                        #expect(told.id == id, "\(told)")
                        #expect(!"\(told)".contains("hunter2") && !told.fix.isEmpty)
                        if id.hasPrefix("proxy.") { #expect(told.place == "http://\(address)") }
                        let tries = try await Self.tries(over: connection, in: folder)
                        #expect(tries == (isPassing ? 3 : 1), "\(told)")
                    }
                }
                #expect(server.heardText.isEmpty)
            }
        }
    }

    @Test func `every beginning of an answer ends in words`() async throws {
        let answer = "HTTP/1.1 200 Connection established\r\nVia: 1.1 proxy\r\n\r\n"
        try await ScriptedServer.run(saying: Self.apps) { server in
            for count in 0...answer.utf8.count {
                try await ScriptedProxy.run(saying: String(answer.prefix(count))) { address, _ in
                    let connection = try server.connection(through: address)
                    let id = await Self.failure(of: connection)?.problem.id
                    let isWhole = count >= answer.count
                    #expect(id == (isWhole ? "server.cut" : "proxy.cut"), "\(count)")
                }
            }
        }
    }

    @Test(arguments: ["http", "https"])
    func `a proxy that says nothing is not waited for`(scheme: String) async throws {
        try await ScriptedServer.run(saying: Self.apps) { server in
            try await ScriptedProxy.run(saying: nil) { address, _ in
                let url = try server.connection().url
                let proxy = try ProxyServer.leading(
                    to: url,
                    in: ["HTTPS_PROXY": "\(scheme)://\(address)"],
                )
                var tunnel = ProxyTunnel(
                    through: try #require(proxy),
                    to: url,
                    trusting: .authorities([server.authority]),
                )
                tunnel.patience = .milliseconds(300)
                let failure = await #expect(throws: ServerFailure.self) {
                    try await tunnel.open(
                        with: ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    ) { _ in }
                }
                #expect(failure?.problem.id == "proxy.too-slow")
            }
        }
    }

    @Test(arguments: ["127.0.0.1:1", "nowhere.invalid:3128", "[::1]:1"])
    func `a proxy that is not there is named`(address: String) async throws {
        try await ScriptedServer.run(saying: Self.apps) { server in
            for trust in server.everyTrust {
                let connection = try server.connection(
                    trusting: trust,
                    through: "http://ci:hunter2@\(address)",
                )
                let told = await Self.failure(of: connection)?.problem
                #expect(told?.id == "proxy.unreachable" && told?.place == "http://\(address)")
            }
        }
    }

    @Test func `a server that is not there is named when its fingerprint is known`() async throws {
        var port = 0
        try await ScriptedServer.run(saying: Self.apps) { port = $0.port }
        let connection = ServerConnection(
            to: try .init("https://127.0.0.1:\(port)"),
            showing: ScriptedServer.secret,
            trusting: .fingerprint(SHA256Digest(of: [])),
            through: nil,
        )
        let failure = await Self.failure(of: connection)
        #expect(failure?.problem.id == "server.unreachable")
    }

    private static func failure(of connection: ServerConnection) async -> ServerFailure? {
        do {
            _ = try await RemoteAdministration(connection).perform(ListApps())
            return nil
        } catch {
            return error as? ServerFailure
        }
    }

    /// How often a publisher tries that makes at most three attempts.
    private static func tries(
        over connection: ServerConnection,
        in folder: URL,
    ) async throws -> Int {
        let file = folder.appending(path: "build.ipa")
        try Data("abcdef".utf8).write(to: file)
        var patience = UploadPatience()
        patience.tries = 3
        let pauses = Mutex(0)
        let client = UploadClient(
            over: connection,
            patience: patience,
            pause: { _ in pauses.withLock { $0 += 1 } },
        )
        let offer = UploadOffer(size: 6, sha256: SHA256Digest(of: Array("abcdef".utf8)))
        await #expect(throws: UploadFailure.self) {
            _ = try await client.publish(offer, from: file.path())
        }
        return pauses.withLock { $0 } + 1
    }
}
