import Foundation

/// What a long history costs: the next publish, and the install page.
struct CatalogueBenchmark: Benchmark {
    static let name = "catalogue"
    private static let many = 10_000
    private static let few = 10
    private static let publishes = 20

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let first = try bench.sample("first-release")
        let long = Catalogue(store: bench.path("many"), bench: bench)
        let short = Catalogue(store: bench.path("few"), bench: bench)
        let publication = try long.fill(releases: Self.many, beginningWith: first)
        _ = try short.fill(releases: Self.few, beginningWith: first)
        return [try publish(long, short)] + (try pages(publication, of: long))
    }

    private func publish(_ long: Catalogue, _ short: Catalogue) throws -> Comparison {
        let builds = try (0...Self.publishes).map { number in
            try bench.sample("build-\(number)", ["--version", "2.0.\(number)"])
        }
        func side(_ catalogue: Catalogue) -> () throws -> Double {
            var rest = builds[...]
            return {
                guard let build = rest.popFirst() else { throw BenchmarkFailure.outOfTime }
                return try bench.run(bench.publishing(build, into: catalogue.store)).wall * 1e3
            }
        }
        let medians = try Rounds(count: Self.publishes).medians(
            ours: side(long),
            peer: side(short),
        )
        return Comparison(
            what: "publish with \(Self.many) releases there",
            unit: .milliseconds,
            ours: medians.ours,
            peer: ("with \(Self.few)", medians.peer),
            figure: .ratio(1.2),
        )
    }

    /// An address with a query that nobody links to is made anew for every request; the plain one
    /// comes from memory.
    private func pages(_ publication: Publication, of catalogue: Catalogue) throws -> [Comparison] {
        let families = ["iphone", "ipad", "ipod", "watch", "tv"]
        for (index, family) in families.enumerated() {
            try bench.importDevices(
                count: 100,
                family: family,
                from: index * 100 + 1,
                into: catalogue.store,
            )
        }
        let site = try Site(on: bench, of: publication, in: catalogue.store)
        return try WebServers.with(bench, materials, site: site) { servers in
            let costs = try bench.rounds.medians([
                { try Visitors.cost(of: servers.ota, site.page + "?anew", on: bench) / 1e3 },
                { try Visitors.cost(of: servers.ota, site.page, on: bench) / 1e3 },
            ])
            return [
                Comparison(
                    what: "install page made anew, \(Self.many) releases, 500 devices",
                    unit: .milliseconds,
                    ours: costs[0],
                    figure: .most(2),
                ),
                Comparison(
                    what: "  the same from memory",
                    unit: .milliseconds,
                    ours: costs[1],
                ),
            ]
        }
    }
}
