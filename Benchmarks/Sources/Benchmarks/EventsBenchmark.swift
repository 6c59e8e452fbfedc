import Foundation

/// A thousand open pages that receive the event of one change: the delays, and the cost of each.
struct EventsBenchmark: Benchmark {
    static let name = "events"
    private static let listeners = 1000

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    /// The output of `listeners.py`.
    private struct Found: Decodable {
        /// Delays in milliseconds.
        struct Waits: Decodable {
            let p50, p99, last: Double
        }

        let byServer: Waits
        let byCommand: Waits
        /// CPU time for each listener and event, in microseconds.
        let processor: Double
        /// Memory for each listener, in bytes.
        let memory: Double
    }

    func measure() throws -> [Comparison] {
        let store = bench.path("listened")
        let publication = try bench.publish(bench.sample("listened"), into: store)
        let token = try bench.token("admin", in: store)
        let site = try Site(on: bench, of: publication, in: store)
        let found = try WebServers.with(bench, materials, site: site) { servers in
            try site.copySmallAnswers(from: servers.ota, on: bench)
            let output = try bench.run(
                ["/usr/bin/python3", bench.clients + "/listeners.py", "\(servers.ota.port)"]
                    + ["\(servers.ota.identifier)", token, "\(Self.listeners)", publication.app]
                    + ["\(URL(string: publication.url)?.lastPathComponent ?? "")"]
                    + [bench.ota, "apps", "set", publication.app, "--store", store, "--title"]
            ).output
            return try JSONDecoder().decode(Found.self, from: Data(output.utf8))
        }
        return waits("a change by the server", found.byServer)
            + waits("a change by the command line", found.byCommand) + [
                Comparison(
                    what: "processor time of each listener and event",
                    unit: .microseconds,
                    ours: found.processor,
                    figure: .most(15),
                ),
                Comparison(
                    what: "memory of each listener",
                    unit: .kilobytes,
                    ours: found.memory / 1e3,
                    figure: .most(24),
                ),
            ]
    }

    private func waits(_ title: String, _ waits: Found.Waits) -> [Comparison] {
        [
            Comparison(
                what: "\(title) until the last of \(Self.listeners) listeners has its event",
                unit: .milliseconds,
                ours: waits.last,
                figure: .most(100),
            ),
            Comparison(what: "  p99", unit: .milliseconds, ours: waits.p99),
            Comparison(what: "  p50", unit: .milliseconds, ours: waits.p50),
        ]
    }
}
