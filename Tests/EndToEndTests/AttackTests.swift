#if os(Linux)
import Foundation
import Sample
import TestSupport
import Testing

/// The resources that anonymous clients cost the server process, measured from outside.
@Suite(.timeLimit(.minutes(10)))
struct AttackTests {
    private struct Figures: Decodable {
        let connections: Int
        let moreMB: Double
        let probes: Int
    }

    private static let script = URL(filePath: #filePath)
        .appending(path: "../../../Benchmarks/Clients/attacks.py").standardizedFileURL.path()

    /// The eight kinds at once, each eight times; without limits, the responses alone would take 270 MB.
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

    /// Opens more connections than the process may have open files: 30 from each of twenty addresses, on both
    /// ports.
    private static let crowd = """
        import socket, sys, time
        held = []
        for number in range(600):
            try:
                one = socket.create_connection(
                    ("127.0.0.1", int(sys.argv[1 + number % 2])), timeout=1,
                    source_address=(f"127.0.1.{1 + number // 30}", 0))
                one.send(b"\\x16\\x03\\x01\\x02\\x00\\x01" if number % 2 == 0 else b"GET / HT")
                held.append(one)
            except OSError:
                pass
        time.sleep(4)
        print(len(held))
        """

    @Test func `more connections than the process may have files end nothing`() async throws {
        let errors = try await ServedStore.run(believing: DeviceAuthority(), openFiles: 256) {
            server in
            let ports = [server.base, server.plainBase].compactMap { URL(string: $0)?.port }
            try #require(ports.count == 2)
            let outcome = try await Program(path: "/usr/bin/env").run(
                ["python3", "-c", Self.crowd] + ports.map { "\($0)" },
                in: server.folder,
            )
            #expect(Int(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 256)
            try await eventually(within: .seconds(20), "the server answers again") {
                try await Program(path: "/usr/bin/env").run(
                    ["curl", "-skf", "--max-time", "2", server.base + "/healthz"],
                    in: server.folder,
                ).status == 0
            }
        }
        #expect(errors.contains("the limit of open files limits the number of connections"))
        #expect(!errors.contains("too many open files"), "\(errors)")
    }
}
#endif
