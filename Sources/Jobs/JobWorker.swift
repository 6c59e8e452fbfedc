package import Essentials

/// Does the steps of one kind of job.
package protocol JobWorker: Sendable {
    /// Does the job's next step.
    ///
    /// A step may have been done before by a process that ended before it could say so: doing it again
    /// changes nothing.
    ///
    /// - Parameter job: as it is in the store.
    /// - Returns: what is to be noted of it.
    /// - Throws: a `ReportableError`; its kind decides whether another attempt can help.
    func step(_ job: Job) async throws -> JobProgress

    /// Removes what steps left that were cut short with their process; called while no job of the store
    /// runs.
    func tidy() async
}

extension JobWorker {
    package func tidy() async {}
}

/// The result of a step of a job.
package struct JobProgress: Sendable {
    /// What becomes of the job.
    enum Outcome: Sendable {
        /// Another step follows at once.
        case then(String)
        /// The step is done, or done again, at a date; that is no attempt that failed.
        case wait(step: String, until: Date, reason: String, fix: String?)
        /// Nothing is left to do.
        case done
    }

    let outcome: Outcome
    /// What the job has to know from now on.
    package let change: @Sendable (inout Job) -> Void

    private init(_ outcome: Outcome, change: @escaping @Sendable (inout Job) -> Void) {
        self.outcome = outcome
        self.change = change
    }

    /// Another step follows.
    package static func then(
        _ step: String,
        _ change: @escaping @Sendable (inout Job) -> Void = { _ in },
    ) -> JobProgress {
        JobProgress(.then(step), change: change)
    }

    /// The job waits for something that happens elsewhere.
    ///
    /// - Parameters:
    ///   - step: what is done then.
    ///   - date: when.
    ///   - reason: what it waits for, as one clause.
    ///   - fix: what a person can do about it; nil if no one can.
    ///   - change: what the job has to know.
    /// - Returns: what the runner notes.
    package static func wait(
        for step: String,
        until date: Date,
        because reason: String,
        fix: String? = nil,
        _ change: @escaping @Sendable (inout Job) -> Void = { _ in },
    ) -> JobProgress {
        JobProgress(.wait(step: step, until: date, reason: reason, fix: fix), change: change)
    }

    /// Nothing is left to do.
    package static func done(
        _ change: @escaping @Sendable (inout Job) -> Void = { _ in }
    ) -> JobProgress {
        JobProgress(.done, change: change)
    }

    /// The same with something more that the job has to know.
    package func noting(_ more: @escaping @Sendable (inout Job) -> Void) -> JobProgress {
        JobProgress(outcome) { [change] job in
            change(&job)
            more(&job)
        }
    }
}
