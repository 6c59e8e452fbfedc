import Access
import Enrolment
import Foundation
import HTTPServing
import NIOCore
import NIOSSL
import OTAServer
import SiteServices
import TestSupport
import Testing

/// How much memory and how many connections one client, or one network, can occupy.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionCostTests {
    private static let heldMetric = "ota_connection_held_bytes_max"

    private static func requests(_ path: String, _ count: Int) -> [UInt8] {
        Array(
            String(repeating: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n", count: count).utf8
        )
    }

    /// A TLS record holds 287 of these requests, whose responses would be 29 MB.
    @Test(arguments: ["/public/ota.css", "/public/openapi.yaml", "/robots.txt"])
    func `a client that reads nothing holds a quarter of a megabyte, and loses no answer`(
        path: String
    ) async throws {
        try await TestSite.run { site in
            let expected = try await WireClient.get(site, path).body
            for isSecure in [true, false] {
                let tls = isSecure ? try await WireClient.context(trusting: site) : nil
                let port = isSecure ? site.port : site.plainPort
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            try await WireClient.connect(port, tls: tls) { client in
                                // The handshake is complete before the client stops reading.
                                _ = try await client.request("GET", "/robots.txt")
                                try await client.stall()
                                try await client.send(Self.requests(path, 287))
                                try await Task.sleep(for: .milliseconds(500))
                                try await client.goOn()
                                for number in 0..<287 {
                                    let answer = try await client.response()
                                    guard answer.status == 200, areSame(answer.body, expected)
                                    else {
                                        Issue.record("answer \(number): \(answer.status)")
                                        return
                                    }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let held = try #require(try await site.metric(Self.heldMetric))
            #expect(held > 0 && held <= 256 << 10, "\(path)")
        }
    }

    @Test func `a network has its share of connections, and others come in beside it`()
        async throws
    {
        try await TestSite.run(configure: { configuration, _ in
            configuration.limits.connectionsOfOneNetwork = 3
        }) { site in
            let tls = try await WireClient.context(trusting: site)
            func connect(_ body: (WireClient) async throws -> Void) async throws {
                try await WireClient.connect(site.port, tls: tls, body)
            }
            try await connect { first in
                try await connect { second in
                    try await connect { third in
                        for client in [first, second, third] {
                            #expect(try await client.request("GET", "/healthz").status == 200)
                        }
                        try await connect { fourth in
                            try? await fourth.send(Self.requests("/healthz", 1))
                            #expect(await fourth.rest().isEmpty, "closed without a word")
                        }
                    }
                    // A closed connection makes room.
                    var status = 0
                    for _ in 0..<100 where status == 0 {
                        try await connect { client in
                            status = (try? await client.request("GET", "/healthz").status) ?? 0
                        }
                        if status == 0 { try await Task.sleep(for: .milliseconds(50)) }
                    }
                    #expect(status == 200)
                }
            }
        }
    }

    @Test func `a trusted proxy has no share, for it brings everyone`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.limits.connectionsOfOneNetwork = 0
            configuration.trustedProxies = ["127.0.0.1"]
        }) { site in
            let answer = try await WireClient.get(site, "/healthz")
            #expect(answer.status == 200)
        }
    }

    private static func form(_ path: String, _ length: Int) -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\n"
            + "Content-Length: \(length)\r\n\r\n"
    }

    @Test func `a body that comes too slowly, or takes too long, is given up`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.limits.bodyPace = .milliseconds(600)
            configuration.limits.bodyTime = .milliseconds(2500)
        }) { site in
            // One byte now and then, and a sufficient rate for too long.
            for (piece, length) in [(1, 8000), (200, 8000)] {
                try await WireClient.secure(site) { client in
                    try await client.send(Self.form("/admin/sign-in", length))
                    // The body is never completed.
                    for _ in 0..<min(100, length / piece - 1) {
                        try await Task.sleep(for: .milliseconds(100))
                        guard (try? await client.send(Array(repeating: 0x61, count: piece))) != nil
                        else { break }
                    }
                    let answer = String(decoding: await client.rest(), as: UTF8.self)
                    #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(piece) bytes at a time")
                }
            }
            // A request at a normal rate is accepted.
            try await WireClient.secure(site) { client in
                try await client.send(Self.form("/admin/sign-in", 3600))
                for _ in 0..<12 {
                    try await Task.sleep(for: .milliseconds(100))
                    try await client.send(Array(repeating: 0x61, count: 300))
                }
                #expect(try await client.response().status == 401)
            }
        }
    }

    @Test func `bodies share one budget, of which strangers have a part`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.bodies.bodiesInMemory = 40_000
            configuration.bodies.bodiesOfStrangers = 20_000
        }) { site in
            let admin = try APIClient.holding("admin", on: site)
            func hold(_ body: () async throws -> Void) async throws {
                try await WireClient.secure(site) { client in
                    try await client.send(Self.form("/admin/sign-in", 8000))
                    try await client.send(Array(repeating: 0x61, count: 7900))
                    try await Task.sleep(for: .milliseconds(300))
                    try await body()
                }
            }
            try await hold {
                try await hold {
                    let over = try await site.post(
                        "/admin/sign-in",
                        Array(repeating: 0x61, count: 7900),
                        type: "application/x-www-form-urlencoded",
                    )
                    #expect(over.status == 503)
                    #expect(over.fields["retry-after"] == "5")
                    let known = try await admin.post("/devices", "{\"udid\": \"x\"}")
                    #expect(known.status < 500, "who has proven a right has room")
                }
            }
            // The memory is released with the connection.
            var status = 503
            for _ in 0..<100 where status == 503 {
                status = try await site.post(
                    "/admin/sign-in",
                    Array(repeating: 0x61, count: 7900),
                    type: "application/x-www-form-urlencoded",
                ).status
                if status == 503 { try await Task.sleep(for: .milliseconds(50)) }
            }
            #expect(status == 401)
        }
    }

    @Test func `one network of strangers leaves room for the others`() throws {
        let budget = BodyBudget(1000, ofStrangers: 500, ofOneNetwork: 100)
        var shares: [BodyShare] = []
        func take(_ count: Int, from sender: BodyBudget.Sender) -> Bool {
            let share = budget.share(for: sender)
            guard (try? share.take(count)) != nil else { return false }
            shares.append(share)
            return true
        }
        let one = ["2001:db8::1", "2001:db8::2:3", "2001:db8:0:0:ffff::9"]
        for address in one.prefix(2) { #expect(take(50, from: .stranger(at: address))) }
        #expect(!take(1, from: .stranger(at: one[2])), "the same /64")
        #expect(take(100, from: .stranger(at: "2001:db8:0:1::1")))
        #expect(take(100, from: .stranger(at: "192.0.2.1")))
        #expect(!take(1, from: .stranger(at: "::ffff:192.0.2.1")))
        for last in 2...3 { #expect(take(100, from: .stranger(at: "192.0.2.\(last)"))) }
        #expect(!take(1, from: .stranger(at: "192.0.2.4")), "all of what strangers have")
        #expect(take(500, from: .known))
        shares = []
        #expect(budget.used == 0)
        #expect(take(100, from: .stranger(at: one[2])), "what was held is given back")
    }

    @Test func `bodies of one address are refused beyond its share`() async throws {
        try await TestSite.enrolling(configure: { $0.bodies.bodiesOfNetwork = 5_000 }) { site in
            let path = "/enrol/\(try site.invite().token.text)"
            #expect(
                try await site.post(path, [UInt8](repeating: 0x61, count: 7_000)).status == 503
            )
            #expect(
                try await site.post(path, [UInt8](repeating: 0x61, count: 1_000)).status != 503
            )
        }
    }

    /// Otherwise, everyone with an invitation could use up the capacity for admins and CI.
    @Test func `whoever has an invitation is a stranger until the device has proven itself`()
        async throws
    {
        try await TestSite.enrolling(configure: { $0.bodies.bodiesOfStrangers = 0 }) { site in
            let invitation = try site.invite()
            let many = [UInt8](repeating: 0x61, count: 7000)
            let answer = try await site.post("/enrol/\(invitation.token.text)", many)
            #expect(answer.status == 503)
            let admin = try APIClient.holding("admin", on: site)
            #expect(try await admin.post("/devices", "{\"udid\": \"x\"}").status < 500)
        }
    }

    /// Without any memory for bodies, only a request whose body would be collected gets 503.
    @Test func `nothing is gathered for a request that is refused anyway`() async throws {
        try await TestSite.enrolling(configure: { $0.bodies.bodiesInMemory = 0 }) { site in
            let form = "application/x-www-form-urlencoded"
            let many = [UInt8](repeating: 0x61, count: 7000)
            func status(_ path: String, _ type: String = form) async throws -> Int {
                try await site.post(path, many, type: type).status
            }
            #expect(try await status("/hooks/none", "application/json") == 401)
            #expect(try await status("/enrol/" + String(repeating: "0", count: 32)) == 404)
            #expect(try await status("/apps/nothing") == 405)
            #expect(try await status("/admin/apps/demo-co/settings") == 303)
            #expect(try await status("/admin/sign-out") == 401)
            #expect(try await status("/api/v1/devices", "application/json") == 401)
            #expect(try await status("/api/v1/uploads", "application/json") == 401)
            let reader = try APIClient.holding("read", on: site)
            let body = String(repeating: "a", count: 7000)
            #expect(try await reader.post("/devices", body).status == 403)
            #expect(try await reader.post("/uploads", body).status == 403)
            // A request whose body would be read is refused.
            let admin = try APIClient.holding("admin", on: site)
            #expect(try await admin.post("/devices", body).status == 503)
            #expect(try await status("/admin/sign-in") == 503)
            let invitation = try site.invite()
            #expect(try await status("/enrol/\(invitation.token.text)") == 503)
        }
    }

    @Test func `a client that leaves in the middle is no failure of the server's`() async throws {
        try await TestSite.run { site in
            let secret = try APIClient.holding("admin", on: site).secret ?? ""
            let starts = [
                "POST /hooks/app HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n{",
                Self.form("/admin/sign-in", 5000) + "token=",
                "POST /api/v1/devices HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(secret)\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 5000\r\n\r\n{",
                "POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(secret)\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 5000\r\n\r\n{",
                "POST /hooks/app HTTP/1.1\r\nHost: localhost\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
                "POST /hooks/app HTTP/1.1\r\nHost: localhost\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\n",
            ]
            for start in starts {
                for isRude in [true, false] {
                    try await WireClient.secure(site) { client in
                        try await client.send(start)
                        try await Task.sleep(for: .milliseconds(100))
                        if isRude { await client.cut() }
                    }
                }
            }
            let metrics = try await site.metrics()
            let log = try await site.logText()
            #expect(!metrics.contains("status=\"5"), "\(metrics)")
            #expect(!log.contains("level=error"), "\(log)")
        }
    }
}
