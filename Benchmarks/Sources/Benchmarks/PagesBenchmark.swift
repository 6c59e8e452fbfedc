import Foundation

/// What an admin costs after years of use: an idle server, every page of the administration and every list of
/// the API.
struct PagesBenchmark: Benchmark {
    static let name = "pages"
    private static let idleSeconds = 10.0
    /// How long a server may be busy after its start, in seconds.
    private static let restSeconds = 180
    /// The largest response in kilobytes; a paged list stays below it, whatever the size of the catalogue.
    private static let largestAnswer = 512.0

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        let catalogue = try Catalogue(Catalogue.grown, on: bench)
        let token = try bench.token("admin", in: catalogue.store)
        let site = try Site(on: bench, of: catalogue.publication, in: catalogue.store)
        return try WebServers.with(bench, materials, site: site) { servers in
            // Everything that happens once after a start happens now, and all documents are checked.
            try site.copySmallAnswers(from: servers.ota, on: bench)
            try Self.waitForRest(of: servers.ota)
            let idle = servers.ota.processor {
                Thread.sleep(forTimeInterval: Self.idleSeconds)
            }
            let visits = try visits(of: servers.ota, catalogue, token)
            return [
                Comparison(
                    what: "idle server, \(Catalogue.grown.apps) apps, \(Catalogue.grown.devices) "
                        + "devices, \(Catalogue.grown.lines) lines; processor time",
                    unit: .millisecondsPerSecond,
                    ours: idle / Self.idleSeconds * 1e3,
                    figure: .most(3),
                ),
                Comparison(
                    what: "  resident after all pages",
                    unit: .megabytes,
                    ours: servers.ota.resident / 1e6,
                ),
            ] + lines(visits)
        }
    }

    /// Waits until a server has used less than a fiftieth of a core for three seconds.
    private static func waitForRest(of server: Server) throws {
        var quiet = 0
        for _ in 0..<restSeconds {
            let used = server.processor { Thread.sleep(forTimeInterval: 1) }
            quiet = used < 0.02 ? quiet + 1 : 0
            if quiet == 3 { return }
        }
        throw BenchmarkFailure.notReady(
            program: "ota serve",
            output: "busy for \(restSeconds) s after its start",
        )
    }

    /// The output of `visits.py` for one path.
    private struct Visit: Decodable {
        let path: String
        let bytes: Double
        /// CPU time after a change in microseconds, the median of the rounds.
        let changed: Double
        /// The same without a change.
        let again: Double
    }

    private func lines(_ visits: [Visit]) -> [Comparison] {
        let pages = visits.flatMap { visit in
            [
                Comparison(
                    what: "GET \(visit.path) after a change, processor time",
                    unit: .milliseconds,
                    ours: visit.changed / 1e3,
                    figure: .most(5),
                ),
                Comparison(what: "  again", unit: .milliseconds, ours: visit.again / 1e3),
            ]
        }
        return pages + [
            Comparison(
                what: "the largest of these answers",
                unit: .kilobytes,
                ours: visits.map(\.bytes).max().map { $0 / 1e3 } ?? .nan,
                figure: .most(Self.largestAnswer),
            )
        ]
    }

    private func visits(
        of server: Server,
        _ catalogue: Catalogue,
        _ token: String,
    ) throws -> [Visit] {
        let output = try bench.run(
            ["/usr/bin/python3", bench.clients + "/visits.py", "\(server.port)"]
                + ["\(server.identifier)", token, "\(bench.rounds.count)"]
                + [catalogue.publication.app] + Self.paths(catalogue.publication),
            limit: 240,
        ).output
        return try JSONDecoder().decode([Visit].self, from: Data(output.utf8))
    }

    /// Every page of the administration, and every resource of the API that can be read; `{device}` stands
    /// for any device.
    private static func paths(_ publication: Publication) -> [String] {
        let overview = [
            "", "/activity", "/profiles", "/tokens", "/notices", "/teams", "/jobs", "/mirrors",
            "/runners",
        ]
        let slug = "/apps/\(URL(string: publication.url)?.lastPathComponent ?? "")"
        let release = "/1.0.0-1"
        let apps =
            ["/apps", slug, slug + "/devices"]
            + ["", "/devices", "/notes", "/withdraw"].map { slug + release + $0 }
        let devices = [
            "/devices", "/devices/add", "/devices/import", "/devices/invitations",
            "/devices/export", "/devices/{device}", "/devices/{device}/disable",
            "/devices/{device}/erase",
        ]
        let app = "/apps/\(publication.app)"
        let api =
            ["", "/apps", app, app + "/channels", app + "/installs", app + "/releases"]
            + ["", "/report", "/devices", "/provenance"].map { app + "/releases" + release + $0 }
            + ["/devices", "/devices/{device}", "/devices/export", "/devices/export.txt"]
            + ["/slots", "/invitations", "/profiles", "/profiles/expiring", "/tokens", "/teams"]
            + ["/runners", "/webhooks", "/mirrors", "/queue", "/jobs", "/activity"]
        return (overview + apps + devices).map { "/admin" + $0 } + api.map { "/api/v1" + $0 }
            + ["/", slug, slug + "/history"]
    }
}
