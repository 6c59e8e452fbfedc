import Access
import Foundation
import HTTPServing
import OTAServer
import Releases
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LogTests {
    @Test func `a line tells no secret and stays one line`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            let udid = "00008110-000A11111111111E"
            try await WireClient.secure(site) { client in
                try await client.send(
                    "GET /apps/\(udid)%0d%0a?token=geheim HTTP/1.1\r\nHost: localhost\r\n"
                        + "User-Agent: x \(udid) \u{202E}red \"q\"\r\n\r\n"
                )
                _ = try await client.response()
            }
            _ = try await WireClient.get(site, path.archive)
            let log = try await site.logText()
            #expect(log.contains("event=request"))
            #expect(!log.contains(udid))
            #expect(!log.contains("geheim"))
            #expect(!log.contains(path.folder.dropFirst("/install/".count)))
            #expect(log.contains("/install/AQ"))
            #expect(!log.contains("\u{202E}"))
            #expect(log.split(separator: "\n").allSatisfy { $0.hasPrefix("time=\"") })
        }
    }

    @Test func `what a base URL's path stands before is no more telling`() async throws {
        try await TestSite.run { site in
            let secrets = ["install", "enrol", "enrolled"].map { "/ota/\($0)/" }
            for folder in secrets {
                _ = try await WireClient.get(site, folder + "a-secret-that-opens-something")
            }
            let log = try await site.logText()
            #expect(!log.contains("a-secret-that"))
            for folder in secrets { #expect(log.contains(folder + "a-secr…")) }
        }
    }

    /// A proxy on the same machine connects from its loopback address for every client.
    @Test func `metrics need a token, wherever they are asked for from`() async throws {
        try await TestSite.run { site in
            #expect(try await WireClient.get(site, "/metrics").status == 401)
            let narrow = try AdminClient.token(
                in: site.store,
                [Scope(.read, app: site.release.bundleIdentifier)],
            )
            for (token, status) in [(narrow, 403), ("ota_wrong", 401)] {
                let fields = ["Authorization": "Bearer \(token)"]
                #expect(
                    try await WireClient.get(site, "/metrics", fields: fields).status == status
                )
            }
            #expect(try await site.metrics().contains("ota_requests_total"))
        }
    }

    @Test func `no word of a client is longer in the log than half a kilobyte`() async throws {
        try await TestSite.run { site in
            let long = String(repeating: "a", count: 7000)
            _ = try await WireClient.get(site, "/\(long)", fields: ["User-Agent": "agent" + long])
            let log = try await site.logText()
            let line = try #require(log.split(separator: "\n").first { $0.contains("agent=") })
            #expect(line.utf8.count < 1500)
            #expect(line.contains("aaa…\""))
        }
    }

    @Test func `metrics count and name nobody`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            _ = try await WireClient.get(site, path.archive)
            _ = try await WireClient.get(site, "/apps/secret-name")
            let metrics = try await site.metrics()
            #expect(metrics.contains("ota_downloads_completed_total 1"))
            #expect(metrics.contains("route=\"/install/{capability}/{file}\",status=\"200\"} 2"))
            #expect(!metrics.contains("secret-name"))
            #expect(try await WireClient.get(site, "/readyz").status == 200)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a reader that has stopped holds nothing up, and misses nothing`() throws {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let lines = (0..<3000).map { "line \($0) \(String(repeating: "x", count: 60))\n" }
        for line in lines { sink.append(line) }
        // Far more than a pipe holds while no one reads.
        sink.flush()
        var read: [UInt8] = []
        while read.count < lines.joined().utf8.count {
            read += pipe.fileHandleForReading.availableData
            sink.flush()
        }
        #expect(String(decoding: read, as: UTF8.self) == lines.joined())
    }
}
