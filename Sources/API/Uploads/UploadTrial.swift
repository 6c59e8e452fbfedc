import Logging
import Mirrors
import Sandboxing

/// Tries a build in a separate process, after the server has ended while publishing it.
///
/// A killed server leaves the same traces as one that a build has crashed: an attempt without an end. If
/// the same work ends the separate process too, the build is the cause and is given up; if the process
/// returns any answer, the build is harmless and is published. So no build crashes the server twice, and
/// none is lost because the server was killed.
struct UploadTrial: Sendable {
    /// The path of this server's `ota`.
    let program: String
    let logger: Logger

    enum Outcome: Equatable {
        case survived
        case ended
        /// The server is shutting down.
        case abandoned
    }

    private static var limits: ProcessLimits {
        var limits = ProcessLimits(time: .seconds(900), output: 16 << 20)
        #if os(Linux)
        // Many times what the largest builds need; cannot be set on other systems.
        limits.memory = 8 << 30
        #endif
        return limits
    }

    /// Performs a dry run of publishing the build in `file` into the store at `path`.
    ///
    /// - Parameters:
    ///   - file: the path of the build.
    ///   - path: the path of a store, or of a folder that does not exist.
    ///   - root: the working directory of the process.
    /// - Returns: how the process ended.
    func outcome(of file: String, store path: String, in root: String) async -> Outcome {
        let process = ChildProcess(
            program,
            ["publish", file, "--dry-run", "--json", "--store", path],
            in: root,
            limits: Self.limits,
        )
        do {
            switch try await process.run(output: { _ in }) {
            // The shell that sets the limits failed, or the program was not found.
            case .exited(125...127): return .ended
            case .exited, .tooMuchOutput: return .survived
            case .cancelled: return .abandoned
            case .signalled, .timedOut: return .ended
            }
        } catch {
            logger.error("a build could not be tried", metadata: ["reason": "\(error)"])
            return .ended
        }
    }
}
