import Foundation

/// From a large file to a release, compared with testing the archive and copying it.
struct PublishBenchmark: Benchmark {
    static let name = "publish"

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        try publish(materials.large, "200 MB IPA")
            + publish(materials.realistic, "100 MB IPA, 200 MB unpacked")
    }

    private func publish(_ build: String, _ title: String) throws -> [Comparison] {
        let costs = try bench.rounds.costs([
            {
                sync()
                let store = "store-\(UUID().uuidString)"
                let cost = try bench.run(bench.publishing(build, into: bench.path(store))).cost
                try bench.remove(store)
                return cost
            },
            { try testingAndCopying(build, isDurable: false) },
            { try testingAndCopying(build, isDurable: true) },
        ])
        return Comparison.lines(
            "publish, \(title)",
            in: .seconds,
            ours: costs[0],
            peer: ("unzip -t, cp", costs[1]),
            figure: .ratio(0.6),
        )
            + Comparison.lines(
                "  the same, as durable",
                in: .seconds,
                ours: costs[0],
                peer: ("unzip -t, cp, sync", costs[2]),
            ) + [.memory(of: costs[0])]
    }

    /// Data that an earlier step left to be written is synced first, and does not count.
    private func testingAndCopying(_ build: String, isDurable: Bool) throws -> Cost {
        sync()
        let copy = bench.path("copy.ipa")
        var cost = try bench.run("unzip", "-tqq", build).cost + bench.run("cp", build, copy).cost
        if isDurable { cost = cost + (try bench.run("sync", copy).cost) }
        try bench.remove("copy.ipa")
        return cost
    }
}
