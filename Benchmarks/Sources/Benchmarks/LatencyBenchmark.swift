import Foundation

/// The latency of the install page, without load and during downloads, as percentiles, since a mean hides the
/// slowest requests.
struct LatencyBenchmark: Benchmark {
    static let name = "latency"
    private static let downloads = 2

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    /// A number of visitors, and the goals for their percentiles compared with nginx's.
    private struct Crowd {
        let title: String
        let connections: Int
        var pause: Int?
        var mostP99: Double?
        var mostP999: Double?
    }

    func measure() throws -> [Comparison] {
        let site = try Site(on: bench, of: materials.published, in: materials.store)
        if !FileManager.default.fileExists(atPath: site.folder + "/app.ipa") {
            try bench.run("cp", materials.large, site.folder + "/app.ipa")
        }
        let flatOut = Crowd(title: "256 connections flat out", connections: 256, mostP99: 1.5)
        let paced = Crowd(
            title: "900 connections, each once a second",
            connections: 900,
            pause: 1000,
            mostP999: 3,
        )
        return try WebServers.with(bench, materials, site: site) { servers in
            try site.copySmallAnswers(from: servers.ota, on: bench)
            return try [flatOut, paced].flatMap { crowd in
                try lines(crowd, site, servers, isDownloading: false)
                    + lines(crowd, site, servers, isDownloading: true)
            }
        }
    }

    private func lines(
        _ crowd: Crowd,
        _ site: Site,
        _ servers: WebServers,
        isDownloading: Bool,
    ) throws -> [Comparison] {
        func waits(_ server: Server, _ path: String, _ archive: String) throws -> Visitors.Waits {
            let downloads = isDownloading ? try startDownloads(archive, from: server) : []
            defer { for download in downloads { bench.end(download) } }
            return try Visitors.waits(
                for: path,
                of: server,
                connections: crowd.connections,
                pause: crowd.pause,
                on: bench,
            )
        }
        let rounds = try bench.rounds.samples([
            { try waits(servers.ota, site.page, site.archive) },
            { try waits(servers.nginx, site.file(of: site.page), "/app.ipa") },
        ])
        let (ours, peer) = (rounds[0], rounds[1])
        let title = "page, \(crowd.title)" + (isDownloading ? ", during downloads" : "")
        // The goals apply to a server without other load.
        func figure(_ most: Double?) -> Comparison.Figure? {
            isDownloading ? nil : most.map { .ratio($0) }
        }
        return [
            Comparison(
                what: title + ", p50",
                unit: .milliseconds,
                ours: ours.map(\.median).median,
                peer: ("nginx", peer.map(\.median).median),
            ),
            Comparison(
                what: "  p99",
                unit: .milliseconds,
                ours: ours.map(\.p99).median,
                peer: ("nginx", peer.map(\.p99).median),
                figure: figure(crowd.mostP99),
            ),
            Comparison(
                what: "  p99.9",
                unit: .milliseconds,
                ours: ours.map(\.p999).median,
                peer: ("nginx", peer.map(\.p999).median),
                figure: figure(crowd.mostP999),
            ),
        ]
    }

    /// Starts downloads that outlast the measurement: each is followed by another one.
    private func startDownloads(_ path: String, from server: Server) throws -> [ChildProcess] {
        let transfer = ["-o", "/dev/null", server.url(path)]
        let client =
            ["curl", "-sSfk", "--http1.1", "--interface", "127.0.0.2"]
            + (0..<1000).flatMap { _ in transfer }
        return try (0..<Self.downloads).map { number in
            try bench.start(client, output: bench.path("download-\(number)"))
        }
    }
}
