import Foundation

/// The duration of short commands, from start to end.
struct CommandBenchmark: Benchmark {
    static let name = "commands"
    private static let devices = 100

    let bench: Workbench

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
    }

    func measure() throws -> [Comparison] {
        let store = bench.path("team")
        try bench.importDevices(count: Self.devices, into: store)
        let costs = try Rounds(count: 50).costs([
            { try bench.run(bench.ota, "--version").cost },
            { try bench.run(bench.ota, "devices", "list", "--store", store).cost },
            { try bench.run("git", "--version").cost },
            { try bench.run("/usr/bin/python3", "-c", "pass").cost },
        ])
        return Comparison.lines(
            "ota --version",
            in: .milliseconds,
            ours: costs[0],
            peer: ("git --version", costs[2]),
            figure: .most(3),
        )
            + Comparison.lines(
                "ota devices list, \(Self.devices) devices",
                in: .milliseconds,
                ours: costs[1],
                peer: ("git --version", costs[2]),
                figure: .most(7),
            )
            + Comparison.lines(
                "  the same",
                in: .milliseconds,
                ours: costs[1],
                peer: ("python3 -c pass", costs[3]),
            )
    }
}
