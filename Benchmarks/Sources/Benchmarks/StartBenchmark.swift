import Foundation

/// The cost of a restart: the time to the first response, the memory of an idle server, and the size of the
/// program.
struct StartBenchmark: Benchmark {
    static let name = "start"
    private static let starts = 10

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let site = try Site(on: bench, of: materials.published, in: materials.store)
        let resident = try WebServers.with(bench, materials, site: site) { servers in
            try site.copySmallAnswers(from: servers.ota, on: bench)
            let page = servers.nginx.url(site.file(of: site.page))
            try bench.run(["curl", "-sSfk", "-o", "/dev/null", page])
            Thread.sleep(forTimeInterval: 1)
            return [servers.ota.resident, servers.nginx.resident]
        }
        let nginx = Nginx(bench: bench, materials: materials, site: site.folder)
        let starts = try Rounds(count: Self.starts).medians(
            ours: {
                try firstByte(site.page) { bench.serving(site.store, with: materials, on: $0) }
            },
            peer: { try firstByte(site.file(of: site.page), nginx.command) },
        )
        return [
            Comparison(
                what: "server, from its start to the first byte of a page over TLS",
                unit: .milliseconds,
                ours: starts.ours,
                peer: ("nginx", starts.peer),
                figure: .most(40),
            ),
            Comparison(
                what: "server, resident after its first answers",
                unit: .megabytes,
                ours: resident[0] / 1e6,
                peer: ("nginx", resident[1] / 1e6),
                figure: .most(40),
            ),
            try programSize(),
        ]
    }

    /// Returns milliseconds; uses another port each time.
    private func firstByte(_ path: String, _ words: (Int) throws -> [String]) throws -> Double {
        let port = try FreePort.number()
        let output = try bench.run(
            ["/usr/bin/python3", bench.clients + "/first_byte.py", "\(port)", path] + words(port)
        ).output
        guard let milliseconds = Double(output.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw BenchmarkFailure.unexpected(program: "first_byte.py", output: output) }
        return milliseconds
    }

    private func programSize() throws -> Comparison {
        let stripped = bench.path("stripped")
        try bench.run("strip", "-o", stripped, bench.ota)
        let bytes = try bench.size(of: stripped)
        try bench.remove("stripped")
        return Comparison(
            what: "program, stripped",
            unit: .megabytes,
            ours: bytes / 1e6,
            figure: .most(40),
        )
    }
}
