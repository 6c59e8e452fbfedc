import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A process in the background.
package final class RunningProgram: Sendable {
    package let processIdentifier: Int32
    private let lines: AsyncStream<String>
    private let ending: Task<Int32, any Error>

    init(_ process: Process) throws {
        let pipe = Pipe()
        process.standardOutput = pipe
        let (lines, arriving) = AsyncStream.makeStream(of: String.self)
        let (statuses, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            ended.yield(Self.status(after: process))
            ended.finish()
        }
        try process.run()
        let reader = pipe.fileHandleForReading
        Thread.detachNewThread {
            var pending = Data()
            while case let data = reader.availableData, !data.isEmpty {
                pending += data
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    arriving.yield(String(decoding: pending[..<end], as: UTF8.self))
                    pending = Data(pending[pending.index(after: end)...])
                }
            }
            if !pending.isEmpty { arriving.yield(String(decoding: pending, as: UTF8.self)) }
            arriving.finish()
        }
        processIdentifier = process.processIdentifier
        self.lines = lines
        ending = Task {
            for await status in statuses { return status }
            throw CancellationError()
        }
    }

    /// Returns the next complete line of standard output; nil at its end.
    package func line() async -> String? {
        for await line in lines { return line }
        return nil
    }

    /// Returns the rest of standard output once the process has ended.
    package func remainingLines() async -> [String] {
        var remaining: [String] = []
        for await line in lines { remaining.append(line) }
        return remaining
    }

    package func send(_ signal: Int32) {
        kill(processIdentifier, signal)
    }

    /// Waits for the end and returns the exit status; 128 plus the signal's number if a signal ended it.
    package func status() async throws -> Int32 {
        try await ending.value
    }

    /// Runs a process to its end without blocking a thread.
    static func status(of process: Process) async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                continuation.resume(returning: status(after: process))
            }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }

    private static func status(after process: Process) -> Int32 {
        process.terminationReason == .uncaughtSignal
            ? 128 + process.terminationStatus : process.terminationStatus
    }
}
