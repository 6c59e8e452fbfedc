#if os(Linux)
import Foundation
import Sample
import TestSupport
import Testing

/// What strangers cost the process, seen from outside of it.
@Suite(.timeLimit(.minutes(5)))
struct AttackTests {
    private struct Figures: Decodable {
        let connections: Int
        let moreMB: Double
        let probes: Int
    }

    private static let script = URL(filePath: #filePath)
        .appending(path: "../../../Benchmarks/Clients/attacks.py").standardizedFileURL.path()

    /// The eight kinds at once, each eight times; unbounded, the answers alone would be 270 MB.
    @Test func `unread answers, silent bodies and slow heads hold little memory`() async throws {
        _ = try await ServedStore.run(believing: DeviceAuthority()) { server in
            let port = try #require(URL(string: server.base)?.port)
            let outcome = try await Program(path: "/usr/bin/env").run(
                [
                    "python3", Self.script, "\(port)", "\(server.processIdentifier)",
                    "--connections", "64", "--seconds", "8",
                ],
                in: server.folder,
            )
            let data = Data(outcome.output.utf8)
            let figures = try #require(
                try? JSONDecoder().decode(Figures.self, from: data),
                "\(outcome.errors)",
            )
            #expect(figures.connections >= 48, "\(outcome.output)")
            #expect(figures.moreMB < 100, "\(outcome.output)")
            #expect(figures.probes > 10, "others are answered meanwhile")
        }
    }
}
#endif
