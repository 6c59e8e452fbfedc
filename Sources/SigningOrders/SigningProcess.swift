import Essentials
package import Problems
package import Sandboxing
import Synchronization

/// Signs in a child process without network access: the program itself, started as `ota sign --request
/// -`.
///
/// The private key is sent through a pipe; it is not in the arguments or the environment. Before the
/// process reads the order, it denies itself sockets and starting other programs
/// (``Confinement/denyNetworkAndPrograms()``), so that a build that takes control of it cannot send the
/// key anywhere.
package struct SigningProcess: Sendable {
    /// The program; an absolute path.
    package let program: String
    /// The working directory.
    package let directory: String
    package var limits: ProcessLimits

    /// - Parameters:
    ///   - program: the `ota` program that is running; an absolute path.
    ///   - directory: the working directory; an absolute path.
    package init(program: String, in directory: String) {
        self.program = program
        self.directory = directory
        limits = ProcessLimits(time: .seconds(900), output: 4 << 20)
        limits.openFiles = 1024
        #if os(Linux)
        // The address space, mostly for stacks and reservations; it can only be limited on Linux.
        limits.memory = 2 << 30
        #endif
    }

    /// The arguments of the program.
    package static let arguments = ["sign", "--request", "-"]

    /// Executes an order in a child process.
    ///
    /// - Parameters:
    ///   - order: what to sign, and with what.
    ///   - result: the type of the process's result.
    ///   - progress: called on another thread with the number of completed parts, and the total.
    /// - Returns: the process's result.
    /// - Throws: the `Problem` that the process reports, ``SigningProcessFailure``, and
    ///   `CancellationError`.
    package func run<Result: Codable & Sendable>(
        _ order: SigningOrder,
        as result: Result.Type,
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
    ) async throws -> Result {
        var process = ChildProcess(program, Self.arguments, in: directory, limits: limits)
        // A crash prints no memory, and threads share the C library's arenas.
        process.environment = ["SWIFT_BACKTRACE": "enable=no", "MALLOC_ARENA_MAX": "2"]
        process.input = Array(try OrderCoding.encoder.encode(order)) + [UInt8(ascii: "\n")]
        let lines = ReportLines<Result>(progress: progress)
        // Its standard error may reveal the order, so it is discarded.
        let ending = try await process.run(output: { lines.take($0) }, errors: { _ in })
        switch (ending, lines.end) {
        case (.exited, .signed(let result)): return result
        case (.exited, .refused(let problem)): throw problem
        case (.cancelled, _): throw CancellationError()
        case (.timedOut, _): throw SigningProcessFailure.timedOut(limits.time)
        case (.tooMuchOutput, _): throw SigningProcessFailure.badAnswer
        case (.exited(let status), _): throw SigningProcessFailure.noAnswer(status: status)
        case (.signalled(let signal), _): throw SigningProcessFailure.ended(signal: signal)
        }
    }
}

/// Why the signing process did not report a result.
package enum SigningProcessFailure: ReportableError, Equatable {
    case timedOut(Duration)
    /// The output is too long, or is not lines of JSON.
    case badAnswer
    case noAnswer(status: Int32)
    case ended(signal: Int32)

    package var description: String {
        switch self {
        case .timedOut(let time):
            "the signing process did not end within \(time.components.seconds) seconds"
        case .badAnswer: "the signing process answered with something other than a report"
        case .noAnswer(let status):
            "the signing process ended with status \(status) without an answer"
        case .ended(let signal): "the signing process was killed by signal \(signal)"
        }
    }
}

extension SigningProcessFailure {
    package var id: String {
        switch self {
        case .timedOut: "signing-process.timed-out"
        case .badAnswer: "signing-process.bad-answer"
        case .noAnswer: "signing-process.no-answer"
        case .ended: "signing-process.ended"
        }
    }

    package var kind: Problem.Kind { .unavailable }

    package var fix: String {
        switch self {
        case .timedOut: "try again when the machine is less busy"
        case .badAnswer, .noAnswer, .ended:
            "sign the build with `ota sign` on this machine to see a detailed error"
        }
    }
}

/// Joins pieces to lines, and keeps the final report.
private final class ReportLines<Result: Codable & Sendable>: Sendable {
    private struct State {
        var rest: [UInt8] = []
        var end: SigningReport<Result>?
    }

    private let state = Mutex(State())
    private let progress: @Sendable (Int, Int) -> Void

    init(progress: @escaping @Sendable (Int, Int) -> Void) {
        self.progress = progress
    }

    /// The last report that is not about progress.
    var end: SigningReport<Result>? { state.withLock { $0.end } }

    func take(_ piece: ArraySlice<UInt8>) {
        var whole: [ArraySlice<UInt8>] = []
        state.withLock { state in
            state.rest += piece
            guard let last = state.rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
            whole = state.rest[...last].split(separator: UInt8(ascii: "\n"))
            state.rest = Array(state.rest[(last + 1)...])
        }
        for line in whole {
            let report = try? OrderCoding.decoder.decode(
                SigningReport<Result>.self,
                from: Data(line),
            )
            switch report {
            case .progress(let done, let total): progress(done, total)
            case .signed, .refused: state.withLock { $0.end = report }
            case nil: continue
            }
        }
    }
}
