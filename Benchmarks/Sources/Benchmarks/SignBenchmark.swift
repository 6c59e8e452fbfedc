import Foundation

/// Re-signing a build, compared with unpacking and packing it, as scripts around a signer do, and with a
/// copy.
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
        // Takes ten times as long as all the others, and three gigabytes of disk space.
        if ProcessInfo.processInfo.environment["OTA_BENCH_LARGE"] != nil {
            lines += try sign(bench.sample("huge", ["--megabytes", "1024"]), "1 GB IPA")
        }
        return lines
            + (try sign(materials.realistic, "100 MB IPA, 200 MB unpacked", isStored: false))
    }

    /// The times of the whole command and of both peers, the maximum memory, and the maximum disk space in
    /// addition to the output.
    private func sign(
        _ build: String,
        _ title: String,
        isStored: Bool = true,
    ) throws -> [Comparison] {
        let profile = try embeddedProfile(of: build)
        var extra: [Double] = []
        let costs = try bench.rounds.costs([
            {
                sync()
                try folder("signed")
                let disk = DiskWatch(bench.path("signed"))
                disk.start()
                let run = try bench.run(signing(build, profile, to: bench.path("signed/out.ipa")))
                let most = disk.stop()
                extra.append(max(0, most - (try bench.size(of: bench.path("signed/out.ipa")))))
                try bench.remove("signed")
                return run.cost
            },
            {
                sync()
                let copy = bench.path("copy.ipa")
                let cost = try bench.run("cp", build, copy).cost + bench.run("sync", copy).cost
                try bench.remove("copy.ipa")
                return cost
            },
            {
                sync()
                try folder("unpacked")
                let place = bench.path("unpacked")
                let cost =
                    try bench.run("unzip", "-qq", build, "-d", place).cost
                    + bench.run("sh", "-c", "cd \"$0\" && exec zip -0qry out.ipa Payload", place)
                    .cost
                    + bench.run("sync", place + "/out.ipa").cost
                try bench.remove("unpacked")
                return cost
            },
        ])
        return Comparison.lines(
            "sign, \(title)",
            in: .seconds,
            ours: costs[0],
            peer: ("cp, sync", costs[1]),
            figure: isStored ? .ratio(2) : nil,
        )
            + Comparison.lines(
                "  the same",
                in: .seconds,
                ours: costs[0],
                peer: ("unzip, zip -0, sync", costs[2]),
            ) + [
                .memory(of: costs[0]),
                Comparison(
                    what: "  most disk besides the output",
                    unit: .megabytes,
                    ours: extra.max().map { $0 / 1e6 } ?? .nan,
                    figure: .most(1),
                ),
            ]
    }

    private func signing(_ build: String, _ profile: String, to output: String) -> [String] {
        [bench.ota, "sign", build, "--identity", bench.path("signer.pem"), "--profile", profile]
            + ["--trusted-ca", bench.authority, "--output", output, "--json"]
    }

    /// The distribution certificate of the run's authority, with its key and issuers.
    ///
    /// The file of keys has eight pairs of certificate and key: the root is the first, the intermediate the
    /// third and the team's certificate the seventh.
    private func signer() throws -> String {
        let text = try String(contentsOfFile: bench.authorityKeys, encoding: .utf8)
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
