import Foundation
import HTTPServing
import NIOCore
import OTAServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StrictnessTests {
    @Test func `every ambiguous request is refused and its connection closed`() async throws {
        try await TestSite.run { site in
            #expect(RawRequest.all.count >= 57)
            for request in RawRequest.all {
                try await WireClient.plain(site) { client in
                    try? await client.send(request.text)
                    let answer = String(decoding: await client.rest(), as: UTF8.self)
                    let status = Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
                    #expect(request.statuses.contains(status), "\(request): \(status)")
                    #expect(
                        answer.components(separatedBy: "HTTP/1.1 ").count == 2,
                        "\(request): one answer and no more",
                    )
                    #expect(!answer.contains("\r\n\r\nok\n"), "\(request): nothing smuggled")
                    #expect(answer.lowercased().contains("connection: close"), "\(request)")
                }
            }
        }
    }

    @Test func `the same requests are refused byte by byte`() throws {
        for request in RawRequest.all where !request.name.contains("chunk") {
            var scanner = RequestHeadScanner(limits: ServerLimits())
            var refusal: RefusedRequest?
            for byte in request.text.utf8 where refusal == nil {
                do throws(RefusedRequest) {
                    try scanner.scan([byte].span)
                } catch {
                    refusal = error
                }
            }
            let isLeftToTheGate =
                !request.statuses.isDisjoint(with: [405, 421, 501])
                || request.name == "a relative address"
            #expect(refusal != nil || isLeftToTheGate, "\(request)")
        }
    }

    @Test func `ordinary requests pass in any pieces`() throws {
        let text = """
            \r
            POST /a?b=%20c HTTP/1.1\r
            Host: example.org:8443\r
            X-Empty:\r
            X-Accent: caf\u{E9}\r
            Content-Length:  5 \r
            \r
            \u{0}\r\n\r\nGET / HTTP/1.0\r
            \r
            GET / HTTP/1.1\r
            Host: a\r
            Transfer-Encoding: Chunked\r
            \r
            anything
            """
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var scanner = RequestHeadScanner(limits: ServerLimits())
            for start in stride(from: 0, to: bytes.count, by: size) {
                try scanner.scan(Array(bytes[start..<min(start + size, bytes.count)]).span)
            }
            #expect(!scanner.isInsideHead)
        }
    }

    @Test func `one request is taken at a time, however many come at once`() throws {
        let requests = [
            "\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
            "GET /c HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
            "POST /d HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ]
        var scanner = RequestHeadScanner(limits: ServerLimits())
        var rest = Array(requests.joined().utf8)
        for request in requests {
            #expect(scanner.isBetweenRequests)
            let count = try scanner.scanRequest(rest.span)
            #expect(String(decoding: rest[..<count], as: UTF8.self) == request)
            rest.removeFirst(count)
        }
        #expect(rest.isEmpty && !scanner.isBetweenRequests, "the last one's end is the decoder's")
    }

    @Test func `damaged requests never crash the scanner`() {
        let text = "GET /apps/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"
        for damaged in SeededDamage.flips(of: Array(text.utf8), count: 20_000, seed: 24) {
            var scanner = RequestHeadScanner(limits: ServerLimits())
            try? scanner.scan(damaged.span)
        }
    }

    @Test func `heads have a size`() async throws {
        try await TestSite.run { site in
            let long = String(repeating: "a", count: 200_000)
            let cases: [(String, Int)] = [
                ("GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
                ("GET /\(long.prefix(9000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
                ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(long)\r\n\r\n", 431),
                (
                    "GET / HTTP/1.1\r\nHost: localhost\r\n"
                        + String(repeating: "X: y\r\n", count: 5000) + "\r\n", 431,
                ),
                ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", 413),
            ]
            for (text, status) in cases {
                try await WireClient.secure(site) { client in
                    try? await client.send(text)
                    let response = try await client.responseHead()
                    #expect(response.status == status)
                }
            }
        }
    }

    @Test func `heads, bodies, idling and the handshake have a time`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.limits.headTime = .seconds(1)
            configuration.limits.idleTime = .milliseconds(1500)
        }) { site in
            let slow = try await timeToEnd(of: "GET / HTTP/1.1\r\nHost: local", site)
            #expect(slow.answer.hasPrefix("HTTP/1.1 408 "))
            let body = try await timeToEnd(
                of: "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc",
                site,
            )
            #expect(body.answer.hasPrefix("HTTP/1.1 405 "))
            let idle = try await timeToEnd(
                of: "GET /trust HTTP/1.1\r\nHost: localhost\r\n\r\n",
                site,
            )
            #expect(idle.time >= .milliseconds(1200))
            for case (_, let time) in [slow, body, idle] { #expect(time < .seconds(15)) }
            // Without a handshake, the TLS port closes the connection silently.
            try await WireClient.connect(site.port, tls: nil) { client in
                let bytes = await client.rest()
                #expect(bytes.isEmpty)
            }
        }
    }

    private func timeToEnd(
        of request: String,
        _ site: TestSite,
    ) async throws -> (answer: String, time: Duration) {
        let began = ContinuousClock.now
        let answer = try await WireClient.plain(site) { client in
            try await client.send(request)
            return String(decoding: await client.rest(), as: UTF8.self)
        }
        return (answer, ContinuousClock.now - began)
    }

    @Test func `a phone that takes nothing is let go`() async throws {
        try await TestSite.run(
            archiveSize: 30_000_000,
            configure: { configuration, _ in
                configuration.limits.stallTime = .milliseconds(500)
            },
        ) { site in
            let path = try await InstallPath.follow(site)
            try await WireClient.secure(site) { client in
                _ = try await client.request("GET", "/healthz")
                try await client.stall()
                try await client.send("GET \(path.archive) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try await Task.sleep(for: .seconds(4))
                let metrics = try await site.metrics()
                #expect(metrics.contains("ota_downloads_running 0"))
                #expect(metrics.contains("ota_downloads_cut_total 1"))
            }
        }
    }

    @Test func `a slow phone is not taken for a dead one`() async throws {
        try await TestSite.run(
            archiveSize: 12_000_000,
            configure: { configuration, _ in
                configuration.limits.stallTime = .milliseconds(1500)
            },
        ) { site in
            let path = try await InstallPath.follow(site)
            try await WireClient.secure(site) { client in
                try await client.send("GET \(path.archive) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                for _ in 0..<8 {
                    try await client.stall()
                    try await Task.sleep(for: .milliseconds(300))
                    try await client.goOn()
                    try await Task.sleep(for: .milliseconds(30))
                }
                let response = try await client.response()
                #expect(response.body == site.archive)
            }
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        try await TestSite.run { site in
            try await WireClient.secure(site) { client in
                let paths = ["/robots.txt", "/apps/demo-co", "/healthz", "/nothing", "/robots.txt"]
                let text = paths.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
                try await client.send(text)
                var statuses: [Int] = []
                for _ in paths { statuses.append(try await client.response().status) }
                #expect(statuses == [200, 200, 200, 404, 200])
            }
        }
    }

    /// From memory, by a route, and with a cookie, which a route handles too.
    @Test(arguments: ["", "Cookie: a=b\r\n", "Connection: close\r\n"])
    func `blanks around a host are none of it`(fields: String) async throws {
        try await TestSite.run { site in
            for path in ["/apps/demo-co", "/healthz"] {
                for host in ["localhost", "\tlocalhost", "localhost \t"] {
                    let text = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n"
                    for _ in 0..<2 {
                        let status = try await WireClient.secure(site) { client in
                            try await client.send(text)
                            return try await client.response().status
                        }
                        #expect(status == 200, "\(path) \(host.debugDescription)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["/robots.txt", "/healthz", "/apps/demo-co"])
    func `all that was asked before the client ended is answered`(path: String) async throws {
        try await TestSite.run { site in
            let text = String(
                repeating: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n",
                count: 9,
            )
            for isSecure in [true, false] {
                let ask = { (client: WireClient) in
                    try await client.send(text)
                    try await client.endSending()
                    return String(decoding: await client.rest(), as: UTF8.self)
                }
                let answers =
                    isSecure
                    ? try await WireClient.secure(site, ask)
                    : try await WireClient.plain(site, ask)
                #expect(answers.components(separatedBy: "HTTP/1.1 ").count == 10, "\(isSecure)")
            }
        }
    }

    @Test func `HTTP 1 point 0 closes unless asked not to`() async throws {
        try await TestSite.run { site in
            for path in ["/robots.txt", "/healthz"] {
                try await WireClient.secure(site) { client in
                    try await client.send("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n")
                    let answer = String(decoding: await client.rest(), as: UTF8.self).lowercased()
                    #expect(answer.contains("connection: close"))
                }
                try await WireClient.secure(site) { client in
                    for _ in 0..<2 {
                        try await client.send(
                            "GET \(path) HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n"
                        )
                        let response = try await client.response()
                        #expect(response.fields["connection"] == "keep-alive")
                    }
                }
            }
        }
    }
}
