/// Why a build ended before its last step: there was nothing to do, or something went wrong.
///
/// The build's record contains it.
enum BuildStop: Error {
    case skipped(String)
    case failed(String)
    case cancelled(by: String)
    case interrupted
}

extension BuildStop: CustomStringConvertible {
    /// The reason as a clause, for the record.
    var description: String {
        switch self {
        case .skipped(let reason), .failed(let reason): reason
        case .cancelled(let who): "cancelled by \(who)"
        case .interrupted: "the process that ran it was stopped"
        }
    }

    /// The state with which the build ends.
    var state: MirrorRun.State {
        switch self {
        case .skipped: .skipped
        case .failed: .failed
        case .cancelled: .cancelled
        case .interrupted: .interrupted
        }
    }
}
