import Foundation

/// Downloads: four phones that fetch a large IPA over TLS 1.3, compared with nginx and Caddy.
struct DownloadBenchmark: Benchmark {
    static let name = "downloads"
    private static let clients = 4
    private static let downloads = 3

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let site = try Site(on: bench, of: materials.published, in: materials.store)
        try bench.run("cp", materials.large, site.folder + "/app.ipa")
        let bytes = try bench.size(of: materials.large)
        let gigabytes = bytes * Double(Self.clients * Self.downloads) / 1e9
        return try WebServers.with(bench, materials, site: site) { servers in
            let peers = [("nginx", servers.nginx)] + (servers.caddy.map { [("caddy", $0)] } ?? [])
            let costs = try bench.rounds.costs(
                [{ try download(site.archive, from: servers.ota) }]
                    + peers.map { peer in { try download("/app.ipa", from: peer.1) } }
            )
            return zip(peers, costs.dropFirst()).enumerated().flatMap { index, line in
                let (peer, cost) = (line.0.0, line.1)
                return [
                    Comparison(
                        what: index == 0
                            ? "download, 200 MB over TLS 1.3, processor time" : "  the same",
                        unit: .secondsPerGigabyte,
                        ours: costs[0].processor / gigabytes,
                        peer: (peer, cost.processor / gigabytes),
                        figure: index == 0 ? .ratio(0.45) : nil,
                    ),
                    Comparison(
                        what: "  time, \(Self.clients) at once",
                        unit: .secondsPerGigabyte,
                        ours: costs[0].wall / gigabytes,
                        peer: (peer, cost.wall / gigabytes),
                    ),
                ]
            }
        }
    }

    /// The elapsed time, and the server's CPU time.
    private func download(_ path: String, from server: Server) throws -> Cost {
        let transfer = ["-o", "/dev/null", server.url(path)]
        let client =
            ["curl", "-sSfk", "--http1.1"]
            + (0..<Self.downloads).flatMap { _ in transfer }
        return try server.cost {
            try bench.runTogether(Array(repeating: client, count: Self.clients))
        }
    }
}
