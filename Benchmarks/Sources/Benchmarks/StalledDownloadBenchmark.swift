import Foundation

/// Phones that go out of reach during a download: how much of the server's memory each occupies.
struct StalledDownloadBenchmark: Benchmark {
    static let name = "stalled"
    private static let count = 200

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    /// Uses new servers in every round, after one complete download, so that nothing is left from the round
    /// before.
    func measure() throws -> [Comparison] {
        let site = try Site(on: bench, of: materials.published, in: materials.store)
        if !FileManager.default.fileExists(atPath: site.folder + "/app.ipa") {
            try bench.run("cp", materials.large, site.folder + "/app.ipa")
        }
        var ours: [Double] = []
        var peer: [Double] = []
        for _ in 0..<bench.rounds.count {
            try WebServers.with(bench, materials, site: site) { servers in
                ours.append(try growth(of: servers.ota, site.archive))
                peer.append(try growth(of: servers.nginx, "/app.ipa"))
            }
        }
        return [
            Comparison(
                what: "memory of a stalled download, \(Self.count) of them",
                unit: .kilobytes,
                ours: ours.median / 1e3,
                peer: ("nginx", peer.median / 1e3),
                figure: .most(160),
            )
        ]
    }

    private func growth(of server: Server, _ path: String) throws -> Double {
        try bench.run("curl", "-sSfk", "--http1.1", "-o", "/dev/null", server.url(path))
        return try HeldConnections.growth(
            of: server,
            by: Self.count,
            .stalled(path),
            on: bench,
        )
    }
}
