import Foundation
import OTAServer
import Testing

@Suite(.timeLimit(.minutes(1)))
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

    @Test func `metrics count and name nobody`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            _ = try await WireClient.get(site, path.archive)
            _ = try await WireClient.get(site, "/apps/secret-name")
            let metrics = try await WireClient.get(site, "/metrics")
            #expect(metrics.text.contains("ota_downloads_completed_total 1"))
            #expect(
                metrics.text.contains("route=\"/install/{capability}/{file}\",status=\"200\"} 2")
            )
            #expect(!metrics.text.contains("secret-name"))
            let far = try await WireClient.get(
                site,
                "/metrics",
                fields: ["X-Forwarded-For": "203.0.113.9"],
            )
            #expect(far.status == 404)
            #expect(try await WireClient.get(site, "/readyz").status == 200)
        }
    }
}
