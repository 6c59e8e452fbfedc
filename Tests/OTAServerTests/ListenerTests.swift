import Foundation
import OTAServer
import TesterSite
import Testing

/// How many clients may listen to events, and from where.
@Suite(.timeLimit(.minutes(10)))
struct ListenerTests {
    /// Opens a stream and keeps it open while `body` runs.
    private static func listening(
        _ site: TestSite,
        _ path: String,
        _ fields: [String: String] = [:],
        expecting status: Int,
        while body: () async throws -> Void,
    ) async throws {
        try await WireClient.secure(site) { client in
            var head = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n"
            for (name, value) in fields { head += "\(name): \(value)\r\n" }
            try await client.send(head + "\r\n")
            #expect(try await client.responseHead().status == status)
            try await body()
        }
    }

    @Test func `one network cannot take the streams of others, nor pages those of admins`()
        async throws
    {
        try await TestSite.run(configure: { configuration, _ in
            configuration.listeners.all = 4
            configuration.listeners.pages = 3
            configuration.listeners.pagesOfOneNetwork = 2
            configuration.trustedProxies = ["127.0.0.1"]
        }) { site in
            let token = try AdminClient.token(in: site.store)
            let app = "/events?app=demo-co"
            func from(_ address: String) -> [String: String] { ["X-Forwarded-For": address] }
            try await Self.listening(site, app, from("198.51.100.1"), expecting: 200) {
                try await Self.listening(site, app, from("2001:db8::1"), expecting: 200) {
                    try await Self.listening(site, app, from("2001:db8::2"), expecting: 200) {
                        // A network may have two listeners, and all pages together three.
                        for address in ["2001:db8::3", "198.51.100.2"] {
                            try await Self.listening(site, app, from(address), expecting: 503) {}
                        }
                        let admin = ["Authorization": "Bearer \(token)"]
                        try await Self.listening(site, "/events", admin, expecting: 200) {
                            try await Self.listening(site, "/events", admin, expecting: 503) {}
                        }
                    }
                }
            }
            // A closed connection makes room.
            var status = 503
            for _ in 0..<100 where status == 503 {
                try await Task.sleep(for: .milliseconds(50))
                try await WireClient.secure(site) { client in
                    try await client.send(
                        "GET \(app) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 2001:db8::3\r\n\r\n"
                    )
                    status = try await client.responseHead().status
                }
            }
            #expect(status == 200)
        }
    }

    /// How a client stops listening.
    enum Leaving: CaseIterable {
        case endSending, cut, close
    }

    /// The beat, which would notice a closed connection too, is too late for this test.
    @Test(arguments: Leaving.allCases)
    func `a client that leaves makes room at once`(leaving: Leaving) async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.listeners.all = 1
            configuration.eventBeat = .seconds(3600)
        }) { site in
            let path = "/events?app=demo-co"
            func listen(_ client: WireClient) async throws -> Int {
                try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return try await client.responseHead().status
            }
            try await WireClient.secure(site) { client in
                #expect(try await listen(client) == 200)
                let other = try await WireClient.secure(site) { try await listen($0) }
                #expect(other == 503)
                switch leaving {
                case .endSending:
                    try await client.endSending()
                    // The stream ends: nothing further is sent to a client that may still read.
                    _ = await client.rest()
                case .cut: await client.cut()
                case .close: break
                }
            }
            var status = 503
            for _ in 0..<200 where status == 503 {
                try await Task.sleep(for: .milliseconds(50))
                status = try await WireClient.secure(site) { try await listen($0) }
            }
            #expect(status == 200)
        }
    }
}
