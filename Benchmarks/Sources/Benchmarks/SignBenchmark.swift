import Foundation

/// A build signed again, against what every script around a signer does to reach the files, and a copy.
struct SignBenchmark: Benchmark {
    static let name = "sign"

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        try Data(signer().utf8).write(to: URL(filePath: bench.path("signer.pem")))
        let small = try bench.sample("small", ["--megabytes", "20"])
        var lines = try sign(small, "20 MB IPA") + sign(materials.large, "200 MB IPA")
        // Takes ten times as long as all the others, and a gigabyte of disk three times.
        if ProcessInfo.processInfo.environment["OTA_BENCH_LARGE"] != nil {
            lines += try sign(bench.sample("huge", ["--megabytes", "1024"]), "1 GB IPA")
        }
        return lines
            + (try sign(materials.realistic, "100 MB IPA, 200 MB unpacked", isStored: false))
    }

    /// Times of the whole command and of both peers, the most memory, and the most disk beside the
    /// output.
    private func sign(
        _ build: String,
        _ title: String,
        isStored: Bool = true,
    ) throws -> [Comparison] {
        let profile = try embeddedProfile(of: build)
        var peaks: [Double] = []
        var extra: [Double] = []
        var spans: [Double] = []
        var processor: [Double] = []
        let output = "signed"
        let medians = try bench.rounds.medians([
            {
                sync()
                try folder(output)
                let disk = DiskWatch(bench.path(output))
                disk.start()
                let run = try bench.run(
                    signing(build, profile, to: bench.path("\(output)/out.ipa"))
                )
                let most = disk.stop()
                let size = try bench.size(of: "\(output)/out.ipa")
                peaks.append(Double(run.residentPeak))
                extra.append(max(0, most - size))
                spans.append(run.wall)
                processor.append(run.processor)
                try bench.remove(output)
                return run.wall
            },
            {
                sync()
                try folder("unpacked")
                let place = bench.path("unpacked")
                let wall =
                    try bench.run("unzip", "-qq", build, "-d", place).wall
                    + bench.run("sh", "-c", "cd \"$0\" && exec zip -0qry out.ipa Payload", place)
                    .wall
                    + bench.run("sync", place + "/out.ipa").wall
                try bench.remove("unpacked")
                return wall
            },
            {
                sync()
                let copy = bench.path("copy.ipa")
                let wall = try bench.run("cp", build, copy).wall + bench.run("sync", copy).wall
                try bench.remove("copy.ipa")
                return wall
            },
        ])
        let sorted = spans.dropFirst().sorted()
        return [
            Comparison(
                what: "sign, \(title)",
                unit: .seconds,
                ours: medians[0],
                peer: ("cp, sync", medians[2]),
                figure: isStored ? .ratio(2) : nil,
            ),
            Comparison(
                what: "  the same",
                unit: .seconds,
                ours: medians[0],
                peer: ("unzip, zip -0, sync", medians[1]),
            ),
            Comparison(
                what: "  the slowest and the fastest round",
                unit: .seconds,
                ours: sorted.last ?? .nan,
                peer: ("ours", sorted.first ?? .nan),
            ),
            Comparison(
                what: "  processor time",
                unit: .seconds,
                ours: processor.dropFirst().map(\.self).median,
            ),
            .mostMemory(peaks),
            Comparison(
                what: "  most disk beside the output",
                unit: .megabytes,
                ours: extra.max().map { $0 / 1e6 } ?? .nan,
                figure: .most(1),
            ),
        ]
    }

    private func signing(_ build: String, _ profile: String, to output: String) -> [String] {
        [bench.ota, "sign", build, "--identity", bench.path("signer.pem"), "--profile", profile]
            + ["--anchor", bench.authority, "--output", output, "--json"]
    }

    /// The distribution certificate with its key and the ones above it, of the authority of the run.
    ///
    /// The file of keys has eight pairs of certificate and key: the root is the first, the
    /// intermediate the third and the certificate of the team the seventh.
    private func signer() throws -> String {
        let text = try String(
            contentsOfFile: bench.path("first-authority-keys.pem"),
            encoding: .utf8,
        )
        var blocks: [String] = []
        var block = ""
        for line in text.split(separator: "\n") {
            block += line + "\n"
            guard line.hasPrefix("-----END ") else { continue }
            blocks.append(block)
            block = ""
        }
        guard blocks.count == 16 else {
            throw BenchmarkFailure.unexpected(
                program: "ota sample",
                output: "\(blocks.count) blocks",
            )
        }
        return blocks[12] + blocks[13] + blocks[4] + blocks[0]
    }

    private func embeddedProfile(of build: String) throws -> String {
        let path = bench.path("embedded.mobileprovision")
        let script = "exec unzip -p \"$0\" 'Payload/*.app/embedded.mobileprovision' >\"$1\""
        try bench.run("sh", "-c", script, build, path)
        return path
    }

    private func folder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: bench.path(name),
            withIntermediateDirectories: true,
        )
    }
}
