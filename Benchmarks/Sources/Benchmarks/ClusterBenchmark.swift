import Foundation

/// Three servers on one bucket compared with one, each confined to the same share of a core.
///
/// Two cores cannot show what three machines do; `cluster.py` describes what it simulates.
struct ClusterBenchmark: Benchmark {
    static let name = "cluster"

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    /// The output of `cluster.py`.
    private struct Found: Decodable {
        struct Rates: Decodable {
            let perSecond: Double
            /// In milliseconds.
            let p50, p99: Double
            let failed: Int
            let failures: [String]
        }

        struct Kind: Decodable {
            let one, three: Rates

            enum CodingKeys: String, CodingKey {
                case one = "1"
                case three = "3"
            }
        }

        let publishes: Kind
        let pages: Kind
        /// The share of one core that each server has, in percent.
        let publishShare, pageShare: Int
    }

    func measure() throws -> [Comparison] {
        guard bench.finds("weed") else {
            throw BenchmarkFailure.usage("there is no program weed; scripts/tools installs it")
        }
        let output = try bench.run(
            ["/usr/bin/python3", "-B", bench.clients + "/cluster.py", "--ota", bench.ota],
            limit: 400,
        ).output
        let found = try JSONDecoder().decode(Found.self, from: Data(output.utf8))
        return try lines(
            "a publish by three servers, \(found.publishShare) % of a core each",
            found.publishes,
        )
            + lines("a page of three servers, \(found.pageShare) % of a core each", found.pages)
    }

    /// The mean time per request of all servers together; 0.4 of the peer's means 2.5 times its throughput.
    private func lines(_ what: String, _ kind: Found.Kind) throws -> [Comparison] {
        for rates in [kind.one, kind.three] where rates.failed > 0 {
            throw BenchmarkFailure.unexpected(
                program: "cluster.py",
                output: rates.failures.joined(separator: "\n"),
            )
        }
        func line(
            _ what: String,
            _ value: (Found.Rates) -> Double,
            _ figure: Comparison.Figure? = nil,
        ) -> Comparison {
            Comparison(
                what: what,
                unit: .milliseconds,
                ours: value(kind.three),
                peer: ("one server", value(kind.one)),
                figure: figure,
            )
        }
        return [
            line(what, { 1e3 / $0.perSecond }, .ratio(0.4)),
            line("  p50 of what a client waits", \.p50),
            line("  p99", \.p99),
        ]
    }
}
