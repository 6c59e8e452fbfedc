import Foundation

/// Measures `ota` against the programs that people would use instead of it, in one run.
@main
struct Main {
    static func main() {
        do {
            if CommandLine.arguments.dropFirst().first == MeasuredCommand.option {
                try MeasuredCommand.run(Array(CommandLine.arguments.dropFirst(2)))
            }
            let options = try Options(CommandLine.arguments.dropFirst())
            let bench = try Workbench(options: options)
            let outcome = bench.whileCleaningUp { Session(on: bench, only: options.only).run() }
            print(options.json ? try outcome.json() : outcome.text(since: options.earlier))
            exit(outcome.failures.isEmpty ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(error is BenchmarkFailure ? 64 : 1)
        }
    }
}
