import Foundation

/// How long a short command takes, from its start to its end.
struct CommandBenchmark: Benchmark {
    static let name = "commands"

    let bench: Workbench

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
    }

    func measure() throws -> [Comparison] {
        let store = bench.path("team")
        try bench.importDevices(count: 100, into: store)
        let medians = try Rounds(count: 50).medians([
            { try bench.run(bench.ota, "devices", "list", "--store", store).wall * 1e3 },
            { try bench.run("git", "--version").wall * 1e3 },
            { try bench.run("/usr/bin/python3", "-c", "pass").wall * 1e3 },
        ])
        return [
            Comparison(
                what: "ota devices list, 100 devices, start to end",
                unit: .milliseconds,
                ours: medians[0],
                peer: ("git --version", medians[1]),
                figure: .most(10),
            ),
            Comparison(
                what: "  the same",
                unit: .milliseconds,
                ours: medians[0],
                peer: ("python3 -c pass", medians[2]),
            ),
        ]
    }
}

extension Workbench {
    /// Fills a store's register; Apple allows a hundred devices of each family.
    func importDevices(
        count: Int,
        family: String = "iphone",
        from first: Int = 1,
        into store: String,
    ) throws {
        var lines = ["Device ID\tDevice Name\tDevice Platform"]
        for number in first..<first + count {
            let identifier = String(format: "00008120-%016X", number)
            lines.append("\(identifier)\tTester \(number)\tios")
        }
        try write(lines.joined(separator: "\n") + "\n", to: "devices.txt")
        try run(
            [ota, "devices", "import", path("devices.txt"), "--registered"]
                + ["--family", family, "--store", store]
        )
    }
}
