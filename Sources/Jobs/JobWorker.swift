package import Essentials

/// Performs the steps of one kind of job.
package protocol JobWorker: Sendable {
    /// Performs the job's next step.
    ///
    /// A process may have performed the step before and ended before it could record that: performing it
    /// again must not change anything.
    ///
    /// - Parameter job: the job as it is in the store.
    /// - Returns: what to record about the job.
    /// - Throws: a `ReportableError`, whose kind decides whether another attempt can help.
    func step(_ job: Job) async throws -> JobProgress

    /// Removes what interrupted steps left behind when their process ended; called while no job of the
    /// store runs.
    func tidy() async
}

extension JobWorker {
    package func tidy() async {}
}

/// The result of a step of a job.
package struct JobProgress: Sendable {
    /// What happens to the job next.
    enum Outcome: Sendable {
        /// Another step follows at once.
        case then(String)
        /// The step is performed, or repeated, at a date; this does not count as a failed attempt.
        case wait(step: String, until: Date, reason: String, fix: String?)
        /// Nothing is left to do.
        case done
    }

    let outcome: Outcome
    /// Changes the job's record.
    package let change: @Sendable (inout Job) -> Void

    private init(_ outcome: Outcome, change: @escaping @Sendable (inout Job) -> Void) {
        self.outcome = outcome
        self.change = change
    }

    /// Another step follows at once.
    package static func then(
        _ step: String,
        _ change: @escaping @Sendable (inout Job) -> Void = { _ in },
    ) -> JobProgress {
        JobProgress(.then(step), change: change)
    }

    /// The job waits for something outside of this server.
    ///
    /// - Parameters:
    ///   - step: the step to perform then.
    ///   - date: when to perform it.
    ///   - reason: what the job waits for, as one clause.
    ///   - fix: how a user can fix that; nil if no one can.
    ///   - change: changes the job's record.
    /// - Returns: what to record about the job.
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

    /// Returns the same result with a further change of the job's record.
    package func noting(_ more: @escaping @Sendable (inout Job) -> Void) -> JobProgress {
        JobProgress(outcome) { [change] job in
            change(&job)
            more(&job)
        }
    }
}
