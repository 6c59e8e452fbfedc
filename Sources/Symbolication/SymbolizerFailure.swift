package import Problems
import Sandboxing

/// Why addresses could not be looked up.
package enum SymbolizerFailure: ReportableError, Equatable {
    case notInstalled
    /// The program took too long, wrote too much, or was ended by a signal.
    case ended(String)
    case unreadableAnswer
    case noFolder(String)
    /// The server processes the maximum number of reports at the moment.
    case busy

    package var description: String {
        switch self {
        case .notInstalled: "the program llvm-symbolizer is not installed"
        case .ended(let how): "llvm-symbolizer \(how)"
        case .unreadableAnswer: "llvm-symbolizer wrote something other than JSON"
        case .noFolder(let reason): "the folder for symbols cannot be created: \(reason)"
        case .busy: "the server is busy with other crash reports"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .notInstalled, .noFolder, .busy: .unavailable
        case .ended, .unreadableAnswer: .failed
        }
    }

    package var id: String {
        switch self {
        case .notInstalled: "symbolizer.not-installed"
        case .ended: "symbolizer.ended"
        case .unreadableAnswer: "symbolizer.unreadable-answer"
        case .noFolder: "symbolizer.no-folder"
        case .busy: "symbolizer.busy"
        }
    }

    package var fix: String {
        switch self {
        case .notInstalled:
            "install LLVM: `apt-get install llvm` on Debian, `brew install llvm` on macOS"
        case .ended: "try again; check that the dSYM is whole with `dwarfdump --verify`"
        case .unreadableAnswer: "install LLVM 14 or later"
        case .noFolder: "check the folder for temporary files and the free space"
        case .busy: "try again in a minute"
        }
    }

    package var pageFix: String? {
        switch self {
        case .notInstalled: "ask an admin of the server to install LLVM"
        case .ended, .unreadableAnswer: "try again, or ask an admin of the server"
        case .noFolder, .busy: nil
        }
    }

    init(_ ending: ChildProcess.Ending) {
        self =
            switch ending {
            case .exited(let status): .ended("ended with status \(status)")
            case .signalled(let signal): .ended("was killed by signal \(signal)")
            case .timedOut: .ended("took too long and was killed")
            case .tooMuchOutput: .ended("wrote too much and was killed")
            case .cancelled: .ended("was stopped")
            }
    }
}
