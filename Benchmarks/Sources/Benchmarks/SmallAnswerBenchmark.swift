import Foundation

/// What every visit asks for: the install page and the manifest, kept alive over TLS.
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
            return try [("install page", site.page), ("manifest.plist", site.manifest)].map {
                title,
                path in
                let medians = try bench.rounds.medians(
                    ours: { try Visitors.cost(of: servers.ota, path, on: bench) },
                    peer: { try Visitors.cost(of: servers.nginx, site.file(of: path), on: bench) },
                )
                return Comparison(
                    what: "\(title), 64 connections, processor time",
                    unit: .microseconds,
                    ours: medians.ours,
                    peer: ("nginx", medians.peer),
                    figure: .ratio(3),
                )
            }
        }
    }
}

/// `wrk` as a crowd of phones.
enum Visitors {
    /// Microseconds of the server's processor time for each answer.
    static func cost(
        of server: Server,
        _ path: String,
        seconds: Int = 2,
        on bench: Workbench,
    ) throws -> Double {
        var output = ""
        let processor = try server.processor {
            output = try bench.run(
                "wrk",
                "--threads",
                "1",
                "--connections",
                "64",
                "--duration",
                "\(seconds)s",
                "--header",
                "User-Agent: \(Site.phone)",
                server.url(path),
            ).output
        }
        // "  12345 requests in 2.00s, 1.23MB read"
        guard !output.contains("Non-2xx"), !output.contains("Socket errors"),
            let line = output.split(separator: "\n").first(where: { $0.contains("requests in") }),
            let count = line.split(separator: " ").first.flatMap({ Double($0) }), count > 0
        else { throw BenchmarkFailure.unexpected(program: "wrk", output: output) }
        return processor / count * 1e6
    }
}
