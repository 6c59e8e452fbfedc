import Foundation

/// The cost of years of use: the next publish, the install page, and the lists of the command line.
struct CatalogueBenchmark: Benchmark {
    static let name = "catalogue"
    private static let publishes = 20

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let young = try Catalogue(Catalogue.young, on: bench)
        let grown = try Catalogue(Catalogue.grown, on: bench)
        return try publishes(into: grown, young) + pages(of: grown) + commands(in: grown)
    }

    /// A publish evaluates every device; otherwise, it would cost the same in both stores.
    private func publishes(into grown: Catalogue, _ young: Catalogue) throws -> [Comparison] {
        let builds = try (0...Self.publishes).map { number in
            try bench.sample("build-\(number)", ["--version", "2.0.\(number)"])
        }
        func side(_ catalogue: Catalogue) -> () throws -> Cost {
            var rest = builds[...]
            return {
                guard let build = rest.popFirst() else { throw BenchmarkFailure.outOfTime }
                return try bench.run(bench.publishing(build, into: catalogue.store)).cost
            }
        }
        let costs = try Rounds(count: Self.publishes).costs([side(grown), side(young)])
        let devices = Double(Catalogue.grown.devices - Catalogue.young.devices)
        return Comparison.lines(
            "publish, \(Catalogue.grown.devices) devices and all of the catalogue there",
            in: .milliseconds,
            ours: costs[0],
            peer: ("ours, 10 devices", costs[1]),
            figure: .ratio(1.3),
        ) + [
            Comparison(
                what: "  processor time that each device adds, its verdict",
                unit: .microseconds,
                ours: (costs[0].processor - costs[1].processor) / devices * 1e6,
                figure: .most(8),
            )
        ]
    }

    /// A URL with an unknown query is rendered for every request; the plain one is served from memory.
    private func pages(of catalogue: Catalogue) throws -> [Comparison] {
        let site = try Site(on: bench, of: catalogue.publication, in: catalogue.store)
        return try WebServers.with(bench, materials, site: site) { servers in
            let costs = try bench.rounds.medians([
                { try Visitors.cost(of: servers.ota, site.page + "?anew", on: bench) / 1e3 },
                { try Visitors.cost(of: servers.ota, site.page, on: bench) / 1e3 },
            ])
            return [
                Comparison(
                    what: "install page rendered again there, processor time",
                    unit: .milliseconds,
                    ours: costs[0],
                    figure: .most(2),
                ),
                Comparison(what: "  the same from memory", unit: .milliseconds, ours: costs[1]),
            ]
        }
    }

    private func commands(in catalogue: Catalogue) throws -> [Comparison] {
        let lists = [["releases", "list"], ["apps", "list"], ["devices", "list"], ["activity"]]
        let costs = try bench.rounds.costs(
            lists.map { words in
                {
                    try bench.run([bench.ota] + words + ["--json", "--store", catalogue.store]).cost
                }
            }
        )
        return zip(lists, costs).flatMap { words, cost in
            Comparison.lines(
                "ota \(words.joined(separator: " ")) there",
                in: .milliseconds,
                ours: cost,
            ) + [
                Comparison(
                    what: "  most resident memory",
                    unit: .megabytes,
                    ours: cost.residentPeak / 1e6,
                )
            ]
        }
    }
}
