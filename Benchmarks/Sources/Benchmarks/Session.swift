import Foundation

/// A run of all benchmarks, or of the selected ones.
struct Session {
    private static var benchmarks: [any Benchmark.Type] {
        [
            ValidateBenchmark.self, PublishBenchmark.self, SmallPublishBenchmark.self,
            SignBenchmark.self, DownloadBenchmark.self, StalledDownloadBenchmark.self,
            UploadBenchmark.self, SmallAnswerBenchmark.self, LatencyBenchmark.self,
            HandshakeBenchmark.self, StartBenchmark.self, CommandBenchmark.self,
            VersionBenchmark.self, CatalogueBenchmark.self, PagesBenchmark.self,
            EventsBenchmark.self, BucketBenchmark.self, ClusterBenchmark.self,
        ]
    }

    static var names: [String] { benchmarks.map { $0.name } }

    private let bench: Workbench
    private let only: [String]

    init(on bench: Workbench, only: [String]) {
        self.bench = bench
        self.only = only
    }

    /// Runs the benchmarks; one that fails does not prevent the others.
    func run() -> Outcome {
        let began = ContinuousClock.now
        var outcome = Outcome()
        outcome.load.append(MachineLoad())
        do {
            let materials = try Materials(on: bench)
            for benchmark in Self.benchmarks where only.isEmpty || only.contains(benchmark.name) {
                do {
                    guard !bench.isOutOfTime else { throw BenchmarkFailure.outOfTime }
                    bench.say("measuring \(benchmark.name)")
                    let lines = try benchmark.init(on: bench, with: materials).measure()
                    outcome.sections.append((benchmark.name, lines))
                } catch {
                    outcome.failures.append(.init(benchmark: benchmark.name, reason: "\(error)"))
                }
            }
        } catch {
            outcome.failures.append(.init(benchmark: "preparation", reason: "\(error)"))
        }
        outcome.load.append(MachineLoad())
        outcome.seconds = (ContinuousClock.now - began) / .seconds(1)
        return outcome
    }
}

/// A benchmark.
protocol Benchmark {
    /// The name for `--only`.
    static var name: String { get }

    init(on bench: Workbench, with materials: Materials)

    func measure() throws -> [Comparison]
}
