import Foundation

/// Bulk: four phones that fetch a large IPA over TLS 1.3, against nginx.
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
        let size = try FileManager.default.attributesOfItem(atPath: materials.large)[.size]
        guard let bytes = size as? Int else {
            throw BenchmarkFailure.unexpected(program: "stat", output: materials.large)
        }
        let gigabytes = Double(bytes * Self.clients * Self.downloads) / 1e9
        let medians = try WebServers.with(bench, materials, site: site) { servers in
            try bench.rounds.medians(
                ours: { try download(site.archive, from: servers.ota) / gigabytes },
                peer: { try download("/app.ipa", from: servers.nginx) / gigabytes },
            )
        }
        return [
            Comparison(
                what: "download, 200 MB over TLS 1.3, processor time",
                unit: .secondsPerGigabyte,
                ours: medians.ours,
                peer: ("nginx", medians.peer),
                figure: .ratio(0.6),
            )
        ]
    }

    /// The server's processor time.
    private func download(_ path: String, from server: Server) throws -> Double {
        let transfer = ["-o", "/dev/null", server.url(path)]
        let client =
            ["curl", "-sSfk", "--http1.1"]
            + (0..<Self.downloads).flatMap { _ in transfer }
        return try server.processor {
            try bench.runTogether(Array(repeating: client, count: Self.clients))
        }
    }
}
