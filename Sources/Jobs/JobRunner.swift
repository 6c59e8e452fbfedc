import Bytes
package import Essentials
import Identifiers
import Problems
import Releases
import Sandboxing
package import Store

/// Runs the jobs that are due, one after the other.
///
/// Whoever has the store's lease of jobs runs them: the server, or a command while no server does. A job
/// that a process left running when it ended is begun again by the next holder.
package struct JobRunner: Sendable {
    private let store: OTAStore
    private let workers: [Job.Kind: any JobWorker]
    private let policy: JobPolicy
    private let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - store: where the jobs are.
    ///   - workers: who does the steps of each kind; a job of another kind stays in the queue.
    ///   - policy: how often jobs are tried.
    ///   - clock: gives the time.
    package init(
        _ store: OTAStore,
        workers: [Job.Kind: any JobWorker],
        policy: JobPolicy = JobPolicy(),
        clock: @escaping @Sendable () -> Date,
    ) {
        self.store = store
        self.workers = workers
        self.policy = policy
        self.clock = clock
    }

    /// Works until nothing is due, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - only: the one job to run; nil for all.
    ///   - onChange: is called with each job when it begins, after each step, and when it has ended.
    /// - Returns: false when another holder of the lease runs jobs, which then sees what waits.
    /// - Throws: ``StoreFailure``; a job that goes wrong is no error.
    @discardableResult
    package func work(
        only: JobIdentifier? = nil,
        onChange: @Sendable (Job) async -> Void = { _ in },
    ) async throws -> Bool {
        let store = store
        guard let lease = try await blocking({ try store.backend.claim(Self.work) }) else {
            return false
        }
        defer { withExtendedLifetime(lease) {} }
        try await blocking { try takeOverLeftovers() }
        while !Task.isCancelled, let job = try await blocking({ try due(only) }) {
            try await run(job, onChange)
        }
        try await blocking { try store.forgetOldJobs() }
        return true
    }

    private static let work = "jobs"

    /// What ran when its process ended is due again, as often as may be.
    private func takeOverLeftovers() throws {
        for job in try store.openJobs() where job.state == .running {
            let now = clock()
            let change = try store.changeJob(job.identifier, at: now) { job in
                guard job.state == .running else { return }
                job.state = .waiting
                job.next = now
                job.reason = "the process that ran it ended"
                endIfHopeless(&job)
            }
            if change.state.isOver { try note(change) }
        }
    }

    private func due(_ only: JobIdentifier?) throws -> Job? {
        let now = clock()
        return try store.openJobs().first { job in
            (only == nil || job.identifier == only) && job.isDue(at: now)
                && workers[job.kind] != nil
        }
    }

    /// Does every step of a job, or as many as succeed.
    private func run(_ waiting: Job, _ onChange: @Sendable (Job) async -> Void) async throws {
        guard let worker = workers[waiting.kind] else { return }
        var job = try await changed(waiting) { job in
            guard job.state == .waiting else { return }
            job.state = .running
            job.attempts += 1
            job.next = nil
        }
        while job.state == .running {
            await onChange(job)
            do {
                if let actor = job.cancelledBy { throw JobRefusal.cancelled(by: actor) }
                let progress = try await worker.step(job)
                job = try await changed(job) { job in
                    progress.change(&job)
                    if let next = progress.next {
                        job.step = next
                    } else {
                        job.state = .done
                        job.fix = nil
                    }
                }
            } catch {
                guard !Task.isCancelled else {
                    // The process ends in order; the attempt does not count.
                    _ = try await changed(job) { job in
                        job.state = .waiting
                        job.attempts -= 1
                        job.next = job.changed
                    }
                    return
                }
                job = try await changed(job) { end(&$0, because: error) }
            }
        }
        let ended = job
        if ended.state == .failed { try await blocking { try note(ended) } }
        await onChange(ended)
    }

    private func changed(
        _ job: Job,
        _ change: @escaping @Sendable (inout Job) -> Void,
    ) async throws -> Job {
        let (store, now) = (store, clock())
        return try await blocking { try store.changeJob(job.identifier, at: now, change) }
    }

    /// Notes why an attempt did not succeed, and when the next one is made, if another can help.
    private func end(_ job: inout Job, because error: any Error) {
        if case JobRefusal.cancelled(let actor) = error {
            job.state = .cancelled
            job.reason = "cancelled by \(PrintableText(escaping: actor, limit: 100).text)"
            return
        }
        let problem = Problem(error)
        job.reason = PrintableText(escaping: problem.message, limit: 1000).text
        job.fix = problem.fix.isEmpty ? nil : problem.fix
        guard problem.kind.mayPass else {
            job.state = .failed
            return
        }
        job.state = .waiting
        job.next = clock().addingTimeInterval(policy.pause(after: job.attempts))
        endIfHopeless(&job)
    }

    private func endIfHopeless(_ job: inout Job) {
        guard job.attempts >= policy.mostAttempts else { return }
        job.state = .failed
        job.next = nil
    }

    /// Records a failure in the activity, where admins see it.
    private func note(_ job: Job) throws {
        let title = try job.app.flatMap { try store.app($0)?.title }
        try store.record(
            Activity(
                date: job.changed,
                actor: job.by,
                event: .jobFailed,
                app: job.app?.rawValue,
                subject: job.words(app: title),
                detail: job.reason,
            )
        )
    }
}

extension Problem.Kind {
    /// Whether what went wrong may be gone at another attempt.
    fileprivate var mayPass: Bool {
        switch self {
        case .busy, .unavailable, .outOfRoom, .failed, .tooMany, .changedMeanwhile: true
        case .malformed, .unauthorised, .refused, .notFound, .conflict, .gone, .tooLarge,
            .unsupported, .invalid:
            false
        }
    }
}
