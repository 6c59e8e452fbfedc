package import Problems
import Subprocess

/// Why a program could not be started.
package enum ProcessFailure: ReportableError, Equatable {
    case noPipe(reason: String)
    case notFound(String)
    case notStarted(String, reason: String)

    /// - Parameters:
    ///   - name: the program.
    ///   - error: what `Subprocess` throws. Its description names the step that failed, but not always the
    ///     system's error.
    init(_ name: String, notStarted error: any Error) {
        var reason = "\(error)"
        if reason.utf8.last == UInt8(ascii: ".") { reason.removeLast() }
        if let cause = (error as? SubprocessError)?.underlyingError, !reason.contains("\(cause)") {
            reason += ": \(cause)"
        }
        self = .notStarted(name, reason: reason)
    }
}

extension ProcessFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPipe(let reason): "no pipe can be created: \(reason.lowercased())"
        case .notFound(let name): "the program \(name) is not installed"
        case .notStarted(let name, let reason): "\(name) cannot be started: \(reason)"
        }
    }

    package var kind: Problem.Kind { .unavailable }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .noPipe: "process.no-pipe"
        case .notFound: "process.not-found"
        case .notStarted: "process.not-started"
        }
    }

    /// How to fix it.
    package var fix: String {
        switch self {
        case .noPipe: "raise the limit of open files of the server"
        case .notFound(let name): "install \(name)"
        case .notStarted: "check that the folder exists and the program is executable"
        }
    }
}
