import Foundation

/// The cost of a connection itself.
struct HandshakeBenchmark: Benchmark {
    static let name = "connections"
    private static let idle = 2000

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let site = try Site(on: bench, of: materials.published, in: materials.store)
        let handshakes = try WebServers.with(bench, materials, site: site) { servers in
            try bench.rounds.medians(
                ours: { try handshake(with: servers.ota) },
                peer: { try handshake(with: servers.nginx) },
            )
        }
        return [
            Comparison(
                what: "full handshake, P-256, processor time",
                unit: .microseconds,
                ours: handshakes.ours,
                peer: ("nginx", handshakes.peer),
                figure: .ratio(1.1),
            ),
            try memory("after it asked for a page", site, figure: .most(24)) { path in
                .asked(path)
            },
            try memory("that asked nothing", site, figure: nil) { _ in .silent },
        ]
    }

    /// Uses new servers, since a server keeps the memory of earlier connections.
    private func memory(
        _ title: String,
        _ site: Site,
        figure: Comparison.Figure?,
        _ kind: (_ path: String) -> HeldConnections.Kind,
    ) throws -> Comparison {
        try WebServers.with(bench, materials, site: site) { servers in
            try site.copySmallAnswers(from: servers.ota, on: bench)
            let page = site.file(of: site.page)
            // The first request has costs of its own, which are not those of a connection.
            try bench.run(["curl", "-sSfk", "-o", "/dev/null", servers.nginx.url(page)])
            let sides = [(servers.ota, site.page), (servers.nginx, page)]
            let growth = try sides.map { server, path in
                try HeldConnections.growth(of: server, by: Self.idle, kind(path), on: bench) / 1e3
            }
            return Comparison(
                what: "memory of an idle connection \(title), \(Self.idle) of them",
                unit: .kilobytes,
                ours: growth[0],
                peer: ("nginx", growth[1]),
                figure: figure,
            )
        }
    }

    /// The server's CPU time for each handshake, in microseconds.
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
