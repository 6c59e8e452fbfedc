import Bytes
package import Problems

/// Why a request about a job is refused.
package enum JobRefusal: ReportableError, Equatable, Sendable {
    case unknown(String)
    /// There is no such job that the caller may see.
    case notShown(String)
    /// The job has ended, so there is nothing to cancel.
    case isOver(JobIdentifier, Job.State)
    /// The job is running or done, so there is nothing to retry.
    case notRetried(JobIdentifier, Job.State)
    /// Too many jobs are open already.
    case queueFull(Int)
    /// Too many jobs of the same app are open already.
    case shareTaken(Int)
    /// A user cancelled the job; thrown between two steps.
    case cancelled(by: String)
}

extension JobRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let text), .notShown(let text): "there is no job \(quoted: text)"
        case .isOver(let job, let state): "the job \(job) has ended: it is \(state.rawValue)"
        case .notRetried(let job, .done): "the job \(job) is done: there is nothing to try again"
        case .notRetried(let job, let state): "the job \(job) is \(state.rawValue)"
        case .queueFull(let limit): "there are already \(limit) jobs waiting"
        case .shareTaken(let limit): "there are already \(limit) jobs of this app waiting"
        case .cancelled(let actor): "cancelled by \(quoted: actor)"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown, .notShown: .notFound
        case .isOver, .notRetried, .cancelled: .conflict
        case .queueFull: .busy
        case .shareTaken: .tooMany
        }
    }

    package var id: String {
        switch self {
        case .unknown, .notShown: "job.unknown"
        case .isOver: "job.is-over"
        case .notRetried: "job.not-retried"
        case .queueFull, .shareTaken: "job.queue-full"
        case .cancelled: "job.cancelled"
        }
    }

    package var fix: String {
        switch self {
        case .unknown: "see the jobs in `ota jobs list`"
        case .notShown: "check the identifier; you see only jobs of your apps, and admins see all"
        case .isOver: "`ota jobs show` says how it ended"
        case .notRetried: "only a waiting, failed or cancelled job can be tried again"
        case .queueFull, .shareTaken:
            "wait until some are done, or cancel some with `ota jobs cancel`"
        case .cancelled: "try it again with `ota jobs retry`"
        }
    }
}
