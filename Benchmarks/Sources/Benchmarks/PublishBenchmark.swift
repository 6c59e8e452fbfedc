import Foundation

/// From a file to a release, against testing the archive and copying it.
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
            + validate(materials.large, "200 MB IPA, stored", inflates: false)
            + validate(materials.realistic, "100 MB IPA, 200 MB unpacked")
    }

    private func publish(_ build: String, _ title: String) throws -> [Comparison] {
        var peaks: [Double] = []
        let copy = bench.path("copy.ipa")
        let medians = try bench.rounds.medians([
            {
                settle()
                let store = "store-\(UUID().uuidString)"
                let run = try bench.run(bench.publishing(build, into: bench.path(store)))
                peaks.append(Double(run.residentPeak))
                try bench.remove(store)
                return run.wall
            },
            {
                settle()
                let seconds =
                    try bench.run("unzip", "-tqq", build).wall
                    + bench.run("cp", build, copy).wall
                try bench.remove("copy.ipa")
                return seconds
            },
            {
                settle()
                let seconds =
                    try bench.run("unzip", "-tqq", build).wall
                    + bench.run("cp", build, copy).wall
                    + bench.run("sync", copy).wall
                try bench.remove("copy.ipa")
                return seconds
            },
        ])
        return [
            Comparison(
                what: "publish, \(title)",
                unit: .seconds,
                ours: medians[0],
                peer: ("unzip -t, cp", medians[1]),
                figure: .ratio(0.6),
            ),
            Comparison(
                what: "  the same, as durable",
                unit: .seconds,
                ours: medians[0],
                peer: ("unzip -t, cp, sync", medians[2]),
            ),
            .mostMemory(peaks),
        ]
    }

    /// Who only checks sums is much quicker where there is nothing to inflate, hence no figure there.
    private func validate(
        _ build: String,
        _ title: String,
        inflates: Bool = true,
    ) throws -> [Comparison] {
        var peaks: [Double] = []
        let medians = try bench.rounds.medians([
            {
                let anchor = ["--anchor", bench.authority]
                let run = try bench.run([bench.ota, "validate", build, "--json"] + anchor)
                peaks.append(Double(run.residentPeak))
                return run.wall
            },
            { try bench.run("unzip", "-tqq", build).wall },
            { try bench.run("7z", "t", build).wall },
            { try bench.run("sh", "-c", "exec bsdtar -xOf \"$0\" >/dev/null", build).wall },
        ])
        return [
            Comparison(
                what: "validate, \(title)",
                unit: .seconds,
                ours: medians[0],
                peer: ("unzip -t", medians[1]),
                figure: .ratio(0.4),
            ),
            Comparison(
                what: "  the same",
                unit: .seconds,
                ours: medians[0],
                peer: ("7z t", medians[2]),
                figure: inflates ? .ratio(0.65) : nil,
            ),
            Comparison(
                what: "  the same",
                unit: .seconds,
                ours: medians[0],
                peer: ("bsdtar -xO", medians[3]),
            ),
            .mostMemory(peaks),
        ]
    }

    /// What an earlier step left to be written must not count against the next one.
    private func settle() { sync() }
}
