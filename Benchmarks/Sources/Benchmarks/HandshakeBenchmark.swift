import Foundation

/// What it costs to be connected at all; for information.
struct HandshakeBenchmark: Benchmark {
    static let name = "connections"
    private static let idle = 500

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let site = try Site(on: bench, of: materials.published, in: materials.store)
        return try WebServers.with(bench, materials, site: site) { servers in
            let handshakes = try bench.rounds.medians(
                ours: { try handshake(with: servers.ota) },
                peer: { try handshake(with: servers.nginx) },
            )
            let idle = try [servers.ota, servers.nginx].map { server in
                try HeldConnections.growth(
                    of: server,
                    by: Self.idle,
                    downloading: nil,
                    on: bench,
                ) / 1e3
            }
            return [
                Comparison(
                    what: "full handshake, P-256, processor time",
                    unit: .microseconds,
                    ours: handshakes.ours,
                    peer: ("nginx", handshakes.peer),
                ),
                Comparison(
                    what: "memory of an idle connection, \(Self.idle) of them",
                    unit: .kilobytes,
                    ours: idle[0],
                    peer: ("nginx", idle[1]),
                ),
            ]
        }
    }

    /// Microseconds of the server's processor time for each handshake.
    private func handshake(with server: Server) throws -> Double {
        var output = ""
        let processor = try server.processor {
            output = try bench.run(
                ["openssl", "s_time", "-connect", "127.0.0.1:\(server.port)", "-new"]
                    + ["-tls1_3", "-time", "2"]
            ).output
        }
        // "1234 connections in 2 real seconds, 0 bytes read per connection"
        guard
            let line = output.split(separator: "\n").first(where: { $0.contains("real seconds") }),
            let count = line.split(separator: " ").first.flatMap({ Double($0) }), count > 0
        else { throw BenchmarkFailure.unexpected(program: "openssl s_time", output: output) }
        return processor / count * 1e6
    }
}
