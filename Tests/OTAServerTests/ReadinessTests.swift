import Foundation
import OTAServer
import Store
import TestSupport
import Testing

/// The responses to a load balancer's health checks.
@Suite(.timeLimit(.minutes(10)))
struct ReadinessTests {
    @Test func `a server that was asked to stop says so, and answers for a while`() async throws {
        try await TestSite.run(
            configure: { configuration, _ in configuration.drainTime = .seconds(4) }
        ) { site in
            #expect(try await WireClient.get(site, "/readyz").text == "ready\n")
            site.stop.stop()
            try await until { try await WireClient.get(site, "/readyz").status == 503 }
            #expect(try await WireClient.get(site, "/readyz").text == "this server is stopping\n")
            #expect(try await WireClient.get(site, "/healthz").status == 200)
            // Afterwards the port is closed.
            try await until {
                do {
                    try await WireClient.connect(site.port, tls: nil) { _ in }
                    return false
                } catch {
                    return true
                }
            }
        }
    }

    @Test func `a server whose apps cannot be listed says so until they can`() async throws {
        try await TestSite.run { site in
            let apps = site.folder.appending(path: "store/apps").path()
            try FileManager.default.moveItem(atPath: apps, toPath: apps + ".away")
            try Data().write(to: URL(filePath: apps))
            try await until { try await WireClient.get(site, "/readyz").status == 503 }
            #expect(
                try await WireClient.get(site, "/readyz").text == "the store cannot be read\n"
            )
            try FileManager.default.removeItem(atPath: apps)
            try FileManager.default.moveItem(atPath: apps + ".away", toPath: apps)
            try await until { try await WireClient.get(site, "/readyz").status == 200 }
        }
    }

    /// Waits until a condition is true, at most for the suite's time limit.
    private func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await Task.sleep(for: .milliseconds(50)) }
    }
}
