import Logging
import Mirrors
import Sandboxing

/// Tries a build in a process of its own, after the server has ended while it published it.
///
/// A server that is killed leaves the same traces as one that a build has ended: an attempt without
/// an end. Where the same work ends another process too, it is the build, and it is set aside; where
/// that process comes to any answer, the build is innocent and is published. So no build ends the
/// server twice, and none is lost because the server was killed.
struct UploadTrial: Sendable {
    /// The `ota` that this server is.
    let program: String
    let logger: Logger

    enum Outcome: Equatable {
        case survived
        case ended
        /// The server stops.
        case abandoned
    }

    private static var limits: ProcessLimits {
        var limits = ProcessLimits(time: .seconds(900), output: 16 << 20)
        #if os(Linux)
        // Many times what the largest builds take; elsewhere it cannot be set.
        limits.memory = 8 << 30
        #endif
        return limits
    }

    /// Does everything with the build in `file` but storing it in the store at `path`.
    ///
    /// - Parameters:
    ///   - file: the build.
    ///   - path: of a store, or of a folder that is missing.
    ///   - root: the folder that the process works in.
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
            // The shell that sets the limits could not, or found no program.
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
