import Foundation

/// The version of a checkout from its tags, compared with `git describe`, which finds the same tag.
struct VersionBenchmark: Benchmark {
    static let name = "version"
    private static let commits = 10_000
    private static let tags = 500

    let bench: Workbench

    init(on bench: Workbench, with materials: Materials) {
        self.bench = bench
    }

    func measure() throws -> [Comparison] {
        let repository = try makeRepository()
        let costs = try Rounds(count: 20).costs([
            { try bench.run(bench.ota, "version", "--repository", repository).cost },
            { try bench.run("git", "-C", repository, "describe", "--tags").cost },
        ])
        return Comparison.lines(
            "ota version, \(Self.commits) commits, \(Self.tags) tags",
            in: .milliseconds,
            ours: costs[0],
            peer: ("git describe", costs[1]),
            figure: .ratio(6),
        )
    }

    /// A linear history of commits with one file, a tag after each twentieth, and a few commits after the
    /// last.
    private func makeRepository() throws -> String {
        let repository = bench.path("repository")
        let step = Self.commits / Self.tags
        let history = (1...Self.commits).map { number in
            let commit = """
                commit refs/heads/main
                mark :\(number)
                committer Bench <bench@example.com> \(1_700_000_000 + number * 60) +0000
                data 4
                Work
                M 100644 inline file
                data \("\(number)".utf8.count)
                \(number)

                """
            // Three commits after the last tag.
            guard number % step == step - 3 else { return commit }
            return commit + "reset refs/tags/v1.\(number / step).0\nfrom :\(number)\n"
        }
        try bench.write(history.joined(), to: "history")
        try bench.run("git", "init", "--quiet", "--initial-branch", "main", repository)
        let script = """
            git -C "$0" fast-import --quiet <"$1" && git -C "$0" reset --quiet --hard
            """
        try bench.run("sh", "-c", script, repository, bench.path("history"))
        return repository
    }
}
