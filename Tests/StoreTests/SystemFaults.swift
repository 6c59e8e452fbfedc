import Foundation
import TestSupport

/// Faults that `strace` injects into a publisher's system calls.
struct SystemFaults {
    static let tracer = "/usr/bin/strace"

    /// Whether this machine permits tracing another process.
    static let areAvailable: Bool = {
        guard FileManager.default.isExecutableFile(atPath: tracer) else { return false }
        let trial = try? Publisher.run(tracer, ["-qq", "-o", "/dev/null", "/bin/true"])
        return trial?.status == 0
    }()

    /// The calls that modify the disk.
    static let changing = ["write", "fsync", "rename", "link", "unlink", "mkdir", "ftruncate"]

    /// Returns at most `most` of the numbers, evenly spread; all of them if `OTA_EVERY_FAULT` is set.
    static func chosen(_ numbers: ClosedRange<Int>, most: Int) -> [Int] {
        let isAll = ProcessInfo.processInfo.environment["OTA_EVERY_FAULT"] != nil
        let step = isAll ? 1 : max(1, (numbers.count + most - 1) / most)
        return Array(stride(from: numbers.lowerBound, through: numbers.upperBound, by: step))
    }

    let publisher: String

    /// Runs a publish with a fault; `fault` is as in `strace -e inject=`.
    func publish(into store: String, _ number: Int, fault: String) throws -> Publisher.Outcome {
        try run(["publish", store, "\(number)", "1"], fault: fault)
    }

    /// Runs the publisher with a fault.
    func run(_ arguments: [String], fault: String) throws -> Publisher.Outcome {
        try Publisher.run(
            Self.tracer,
            ["-f", "-qq", "-o", "/dev/null", "-e", "trace=\(fault.prefix { $0 != ":" })"]
                + ["-e", "inject=\(fault)", publisher] + arguments,
        )
    }

    /// Counts these calls of a publish on files of the store.
    func counts(
        of calls: [String],
        publishing number: Int,
        into store: String,
    ) throws -> [String: Int] {
        try counts(of: calls, in: ["publish", store, "\(number)", "1"], log: store + ".strace")
    }

    /// Counts these calls of a run of the publisher.
    func counts(
        of calls: [String],
        in arguments: [String],
        log: String,
    ) throws -> [String: Int] {
        _ = try Publisher.run(
            Self.tracer,
            ["-f", "-qq", "-o", log, "-e", "trace=\(calls.joined(separator: ","))", publisher]
                + arguments,
        )
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: calls.map { call in
                (call, lines.count { $0.contains(" \(call)(") })
            }
        )
    }

    /// The ordinal numbers, from 1, of the `openat` calls on the store, as opposed to those of the loader.
    func opens(publishing number: Int, into store: String) throws -> ClosedRange<Int> {
        let log = store + ".strace"
        _ = try Publisher.run(
            Self.tracer,
            ["-f", "-qq", "-o", log, "-e", "trace=openat", publisher]
                + ["publish", store, "\(number)", "1"],
        )
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(" openat(") }
        let first = lines.firstIndex { $0.contains(store) } ?? 0
        return first + 1...max(first + 1, lines.count)
    }
}
