import Foundation

/// The usual work of CI: publishing a small build into a store and through a server, by one job and by four
/// concurrent ones.
struct SmallPublishBenchmark: Benchmark {
    static let name = "small-publish"
    private static let alone = 20
    private static let together = 5
    private static let jobs = 4

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        // Both sides publish the same builds, each into its own store; the first round does not count.
        let count = Self.alone + 1 + (Self.together + 1) * Self.jobs
        let builds = try (0..<count).map { number in
            try bench.sample("ci-\(number)", ["--megabytes", "1", "--version", "3.0.\(number)"])
        }
        let served = bench.path("small-served")
        let first = try bench.publish(bench.sample("small-first"), into: served)
        let token = try bench.token("publish", in: served)
        let site = try Site(on: bench, of: first, in: served)
        return try WebServers.with(bench, materials, site: site) { servers in
            let store = bench.path("small")
            return try lines("into a store", builds, most: 40) { build in
                bench.publishing(build, into: store)
            }
                + lines("by a server", builds, most: 70, server: servers.ota) { build in
                    [bench.ota, "publish", build, "--server", servers.ota.url(""), "--json"]
                        + ["--token-file", token, "--ca-file", materials.certificate]
                        + ["--trusted-ca", bench.authority]
                }
        }
    }

    private func lines(
        _ way: String,
        _ builds: [String],
        most: Double,
        server: Server? = nil,
        _ publishing: @escaping (_ build: String) -> [String],
    ) throws -> [Comparison] {
        var rest = builds[...]
        func next() throws -> String {
            guard let build = rest.popFirst() else { throw BenchmarkFailure.outOfTime }
            return build
        }
        // The server's CPU time belongs to the cost of the command.
        let costs = try Rounds(count: Self.alone).costs([
            { try cost(of: server) { try bench.run(publishing(next())).cost } },
            {
                try bench.run(bench.ota, "validate", builds[0], "--trusted-ca", bench.authority)
                    .cost
            },
        ])
        let together = try Rounds(count: Self.together).costs([
            {
                let commands = try (0..<Self.jobs).map { _ in publishing(try next()) }
                return try cost(of: server) { try bench.runTogether(commands) }
            }
        ])
        let title = "publish 1 MB \(way)"
        return Comparison.lines(
            title,
            in: .milliseconds,
            ours: costs[0],
            peer: ("ota validate", costs[1]),
            figure: .most(most),
        ) + [
            Comparison(
                what: "  the same, compared with validating it",
                unit: .milliseconds,
                ours: costs[0].wall * 1e3,
                peer: ("ota validate", costs[1].wall * 1e3),
                figure: .ratio(3),
            ),
            Comparison(
                what: "  \(Self.jobs) at once, until the last has ended",
                unit: .milliseconds,
                ours: together[0].wall * 1e3,
                peer: ("\(Self.jobs) × one alone", costs[0].wall * 1e3 * Double(Self.jobs)),
            ),
            Comparison(
                what: "  \(Self.jobs) at once, processor time",
                unit: .milliseconds,
                ours: together[0].processor * 1e3,
                peer: ("\(Self.jobs) × one alone", costs[0].processor * 1e3 * Double(Self.jobs)),
            ),
        ]
    }

    private func cost(of server: Server?, _ body: () throws -> Cost) throws -> Cost {
        guard let server else { return try body() }
        let before = server.processor
        let cost = try body()
        return Cost(
            wall: cost.wall,
            processor: cost.processor + server.processor - before,
            residentPeak: cost.residentPeak,
        )
    }
}
