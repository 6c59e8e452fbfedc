import Foundation
import TestSupport
import Testing

/// What a server process does with the privileges of its service.
@Suite(.timeLimit(.minutes(10)))
struct ServeRightsTests {
    @Test(
        .enabled(
            if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        )
    )
    func `the right to listen on port 443 stays with the server, and goes to no program`()
        async throws
    {
        try await Workplace.run { place in
            // Like AmbientCapabilities= in a systemd unit.
            let right = "+net_bind_service"
            let server = try Program(path: "/usr/bin/setpriv").start(
                [
                    "--bounding-set=-all,\(right)", "--inh-caps=-all,\(right)",
                    "--ambient-caps=\(right)", place.programPath, "serve", "--store",
                    place.path("ota-store"), "--port", "0", "--plain-port", "0",
                ],
                in: place.folder,
            )
            defer { server.send(SIGKILL) }
            _ = try #require(await server.line())
            let status = try String(
                contentsOf: URL(filePath: "/proc/\(server.processIdentifier)/status"),
                encoding: .utf8,
            )
            func capabilities(_ name: String) throws -> UInt64 {
                let line = try #require(
                    status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
                )
                let digits = try #require(line.split(separator: "\t").last)
                return try #require(UInt64(digits, radix: 16))
            }
            #expect(try capabilities("CapAmb") == 0)
            #expect(try capabilities("CapEff") == 1 << 10)
        }
    }
}
