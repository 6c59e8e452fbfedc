import Foundation

/// The requests of every visit, the install page and the manifest, and that of an installed copy at each
/// start, over persistent TLS connections.
struct SmallAnswerBenchmark: Benchmark {
    static let name = "answers"

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let site = try Site(on: bench, of: materials.published, in: materials.store)
        return try WebServers.with(bench, materials, site: site) { servers in
            try site.copySmallAnswers(from: servers.ota, on: bench)
            return try [
                ("install page", site.page), ("manifest.plist", site.manifest),
                ("update check", site.update),
            ].flatMap { title, path in
                let file = site.file(of: path)
                let peers =
                    [("nginx", servers.nginx)] + (servers.caddy.map { [("caddy", $0)] } ?? [])
                let costs = try bench.rounds.medians(
                    [{ try Visitors.cost(of: servers.ota, path, on: bench) }]
                        + peers.map { peer in { try Visitors.cost(of: peer.1, file, on: bench) } }
                )
                return zip(peers, costs.dropFirst()).enumerated().map { index, line in
                    Comparison(
                        what: index == 0
                            ? "\(title), 64 connections, processor time" : "  the same",
                        unit: .microseconds,
                        ours: costs[0],
                        peer: (line.0.0, line.1),
                        figure: index == 0 ? .ratio(1.5) : nil,
                    )
                }
            }
        }
    }
}
