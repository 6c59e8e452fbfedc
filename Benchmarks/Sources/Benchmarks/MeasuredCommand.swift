import Foundation

/// Runs a program from a small process of its own, and reports what it took.
///
/// Linux counts the memory of the process that starts a program as the program's own, until the program
/// itself begins. Benchmarks hold more memory than the programs that they measure, so they start themselves
/// again with the option ``option``, the file for the report, and the program with its arguments.
struct MeasuredCommand {
    static let option = "--measured"

    /// Elapsed time in seconds.
    let wall: Double
    let end: ChildProcess.End

    /// The arguments with which the benchmarks run a program.
    static func words(_ words: [String], report: String) -> [String] {
        ["/proc/self/exe", option, report] + words
    }

    /// Runs the program, writes the report, and exits with the program's status.
    static func run(_ arguments: [String]) throws -> Never {
        let began = ContinuousClock.now
        let environment = ProcessInfo.processInfo.environment
        let words = Array(arguments.dropFirst())
        let end = try ChildProcess(words, environment: environment, output: nil).wait()
        let wall = (ContinuousClock.now - began) / .seconds(1)
        let report = "\(wall) \(end.processor) \(end.residentPeak)"
        try Data(report.utf8).write(to: URL(filePath: arguments[0]))
        exit(end.status)
    }

    /// Reads a report; nil if the process was ended before it wrote one.
    init?(report path: String, status: Int32) {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        guard words.count == 3, let wall = Double(words[0]), let processor = Double(words[1]),
            let residentPeak = Int(words[2])
        else { return nil }
        self.wall = wall
        end = ChildProcess.End(
            status: status,
            processor: processor,
            residentPeak: residentPeak,
        )
    }
}
