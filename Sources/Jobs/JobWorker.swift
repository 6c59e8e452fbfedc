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
}

/// What a step of a job came to.
package struct JobProgress: Sendable {
    /// The step that follows; nil when the job is done.
    package let next: String?
    /// What the job has to know from now on.
    package let change: @Sendable (inout Job) -> Void

    private init(next: String?, change: @escaping @Sendable (inout Job) -> Void) {
        self.next = next
        self.change = change
    }

    /// Another step follows.
    package static func then(
        _ step: String,
        _ change: @escaping @Sendable (inout Job) -> Void = { _ in },
    ) -> JobProgress {
        JobProgress(next: step, change: change)
    }

    /// Nothing is left to do.
    package static func done(
        _ change: @escaping @Sendable (inout Job) -> Void = { _ in }
    ) -> JobProgress {
        JobProgress(next: nil, change: change)
    }
}
