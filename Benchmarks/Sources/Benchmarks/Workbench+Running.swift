import Dispatch
import Foundation

/// The result of a program.
struct Run {
    let cost: Cost
    let output: String
}

extension Workbench {
    /// Runs a program to its end.
    ///
    /// - Throws: ``BenchmarkFailure/failed(program:status:output:)`` if it does not exit with 0, or takes
    ///   longer than `limit` seconds.
    @discardableResult
    func run(_ words: String..., limit: Double = 120) throws -> Run {
        try run(words, limit: limit)
    }

    @discardableResult
    func run(_ words: [String], limit: Double = 120) throws -> Run {
        let output = path("output-\(UUID().uuidString)")
        let report = output + ".report"
        defer {
            try? FileManager.default.removeItem(atPath: output)
            try? FileManager.default.removeItem(atPath: report)
        }
        let child = try start(MeasuredCommand.words(words, report: report), output: output)
        let watch = DispatchWorkItem { child.send(SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watch)
        let status = child.wait().status
        watch.cancel()
        ended(child)
        let text = String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
        guard status == 0, let measured = MeasuredCommand(report: report, status: status) else {
            throw BenchmarkFailure.failed(program: words[0], status: status, output: text)
        }
        let cost = Cost(
            wall: measured.wall,
            processor: measured.end.processor,
            residentPeak: Double(measured.end.residentPeak),
        )
        return Run(cost: cost, output: text)
    }

    /// Runs programs concurrently until the last one has ended.
    ///
    /// - Returns: the elapsed time, and the CPU time of all of them.
    @discardableResult
    func runTogether(_ commands: [[String]]) throws -> Cost {
        let began = ContinuousClock.now
        let outputs = commands.indices.map { path("together-\($0)") }
        let children = try zip(commands, outputs).map { try start($0, output: $1) }
        let watch = DispatchWorkItem { for child in children { child.send(SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watch)
        let ends = children.map { child in
            let end = child.wait()
            ended(child)
            return end
        }
        let wall = ContinuousClock.now - began
        watch.cancel()
        for (index, end) in ends.enumerated() where end.status != 0 {
            let text = (try? String(contentsOfFile: outputs[index], encoding: .utf8)) ?? ""
            throw BenchmarkFailure.failed(
                program: commands[index][0],
                status: end.status,
                output: text,
            )
        }
        return Cost(
            wall: wall / .seconds(1),
            processor: ends.map(\.processor).reduce(0, +),
            residentPeak: Double(ends.map(\.residentPeak).max() ?? 0),
        )
    }
}
