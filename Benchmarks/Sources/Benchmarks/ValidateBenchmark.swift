import Foundation

/// A complete check of an archive, compared with programs that only verify its checksums.
struct ValidateBenchmark: Benchmark {
    static let name = "validate"
    private static let files = 20_000

    let bench: Workbench
    let materials: Materials

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
        self.materials = materials
    }

    func measure() throws -> [Comparison] {
        try validate(materials.large, "200 MB IPA, stored", most: 0.33)
            + validate(
                materials.realistic,
                "100 MB IPA, 200 MB unpacked",
                most: 0.33,
                ofSevenZip: 0.65,
            )
            + oneCore(materials.realistic, "100 MB IPA, 200 MB unpacked, one core")
            + validate(manyFiles(), "\(Self.files) files, 90 MB unpacked", most: 0.45)
    }

    /// 7z only verifies checksums, which is much faster if nothing is compressed, hence no goal in that case.
    private func validate(
        _ build: String,
        _ title: String,
        most: Double,
        ofSevenZip: Double? = nil,
    ) throws -> [Comparison] {
        let costs = try bench.rounds.costs([
            { try bench.run(validating(build)).cost },
            { try bench.run("unzip", "-tqq", build).cost },
            { try bench.run("7z", "t", build).cost },
            { try bench.run("sh", "-c", "exec bsdtar -xOf \"$0\" >/dev/null", build).cost },
        ])
        let figures: [(peer: String, figure: Comparison.Figure?)] = [
            ("unzip -t", .ratio(most)),
            ("7z t", ofSevenZip.map { .ratio($0) }),
            ("bsdtar -xO", nil),
        ]
        return zip(figures, costs.dropFirst()).enumerated().flatMap { index, line in
            Comparison.lines(
                index == 0 ? "validate, \(title)" : "  the same",
                in: .seconds,
                ours: costs[0],
                peer: (line.0.peer, line.1),
                figure: line.0.figure,
            )
        } + [.memory(of: costs[0])]
    }

    /// `ota` uses two threads, the other programs one: here all of them have a single core.
    private func oneCore(_ build: String, _ title: String) throws -> [Comparison] {
        let core = ["taskset", "-c", "0"]
        let costs = try bench.rounds.costs([
            { try bench.run(core + validating(build)).cost },
            { try bench.run(core + ["unzip", "-tqq", build]).cost },
        ])
        return Comparison.lines(
            "validate, \(title)",
            in: .seconds,
            ours: costs[0],
            peer: ("unzip -t", costs[1]),
            figure: .ratio(0.55),
        )
    }

    private func validating(_ build: String) -> [String] {
        [bench.ota, "validate", build, "--trusted-ca", bench.authority, "--json"]
    }

    /// An app of small files, each with 1 to 8 KB of machine code: the cost of each file in an archive.
    private func manyFiles() throws -> String {
        let sizes = (0..<Self.files).map { 1024 * (1 + $0 % 8) }
        try bench.writeMachineCode(sizes, to: "files")
        // Without folders in the names, since the list must fit into one command line.
        let script = """
            cd "$0" && exec "$1" sample --output "$2" --authority "$3" \
            $(printf -- '--resource %s ' *)
            """
        let build = bench.path("files.ipa")
        let keys = bench.authorityKeys
        try bench.run("sh", "-c", script, bench.path("files"), bench.ota, build, keys, limit: 400)
        try bench.remove("files")
        return build
    }
}
