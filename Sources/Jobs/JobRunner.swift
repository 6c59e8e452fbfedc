import Bytes
package import Essentials
import Identifiers
import Problems
import Releases
import Sandboxing
package import Store
import Synchronization

/// Runs the jobs that are due: those of one lane one after the other, the lanes in parallel.
///
/// The holder of the store's lease of jobs runs them: the server, or a command if no server does. If a
/// process ends while it runs a job, the next holder begins the job again.
package struct JobRunner: Sendable {
    private let store: OTAStore
    private let workers: [Job.Kind: any JobWorker]
    private let policy: JobPolicy
    private let clock: @Sendable () -> Date
    private let beginnings = Beginnings()

    /// - Parameters:
    ///   - store: the store with the jobs.
    ///   - workers: the workers that perform the steps of each kind; a job of another kind stays in the
    ///     queue.
    ///   - policy: how often jobs are attempted.
    ///   - clock: returns the current time.
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

    /// Runs jobs until none is due, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - only: the one job to run; nil for all.
    ///   - onChange: called with each job when it begins, after each step, and when it has ended.
    /// - Returns: false if another holder of the lease runs jobs, which then finds the waiting ones.
    /// - Throws: ``StoreFailure``; a failed job is not an error.
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
        try await blocking { try takeOverLeftovers(lease) }
        for worker in workers.values { await worker.tidy() }
        try await workLanes(only, lease, onChange)
        try await blocking { try store.forgetOldJobs() }
        return true
    }

    private static let work = "jobs"

    /// Runs the first due job of each lane, and the next one when that has ended.
    private func workLanes(
        _ only: JobIdentifier?,
        _ lease: any WorkLease,
        _ onChange: @Sendable (Job) async -> Void,
    ) async throws {
        try await withoutActuallyEscaping(onChange) { onChange in
            try await withThrowingTaskGroup(of: String?.self) { group in
                var busy: Set<String> = []
                var isTicking = false
                while true {
                    // If the lease is lost, the running jobs are cancelled, and its next holder begins them
                    // again.
                    try lease.require()
                    for job in try await blocking({ [busy] in try due(only, except: busy) })
                    where !Task.isCancelled && busy.insert(job.lane).inserted {
                        beginnings.note(job, at: clock())
                        group.addTask {
                            try await run(job, lease, onChange)
                            return job.lane
                        }
                    }
                    guard !busy.isEmpty else { break }
                    if !isTicking {
                        isTicking = true
                        group.addTask {
                            // Wakes the loop, so that a job that becomes due in another lane does not wait
                            // for this one.
                            try? await Task.sleep(for: .seconds(1))
                            return nil
                        }
                    }
                    if let lane = try await group.next() {
                        if let lane { busy.remove(lane) } else { isTicking = false }
                    }
                }
                group.cancelAll()
            }
        }
    }

    /// Makes jobs due again that were running when their process ended, unless that has happened too often.
    private func takeOverLeftovers(_ lease: any WorkLease) throws {
        for job in try store.openJobs() where job.state == .running {
            let now = clock()
            let change = try store.changeJob(job.identifier, at: now) { job in
                try lease.require()
                guard job.state == .running else { return }
                job.state = .waiting
                job.next = now
                job.reason = "the process that ran it ended"
                job.crashes = (job.crashes ?? 0) + 1
                endIfHopeless(&job)
            }
            if change.state.isOver { try note(change) }
        }
    }

    /// The due jobs of free lanes, oldest first.
    private func due(_ only: JobIdentifier?, except busy: Set<String>) throws -> [Job] {
        let now = clock()
        return try store.openJobs().filter { job in
            (only == nil || job.identifier == only) && job.isDue(at: now)
                && workers[job.kind] != nil && !busy.contains(job.lane)
                && !beginnings.isTooEarly(job, at: now, policy)
        }
    }

    /// Performs the steps of a job until one fails, waits or is the last.
    private func run(
        _ waiting: Job,
        _ lease: any WorkLease,
        _ onChange: @Sendable (Job) async -> Void,
    ) async throws {
        guard let worker = workers[waiting.kind] else { return }
        var job = try await changed(waiting, lease) { job in
            guard job.state == .waiting else { return }
            job.state = .running
            job.attempts += 1
            job.next = nil
            job.progress = nil
        }
        while job.state == .running {
            await onChange(job)
            do {
                if let actor = job.cancelledBy { throw JobRefusal.cancelled(by: actor) }
                let progress = try await worker.step(job)
                job = try await changed(job, lease) { job in
                    progress.change(&job)
                    follow(progress.outcome, &job)
                }
            } catch {
                guard !Task.isCancelled else {
                    // The process is stopping normally, so the attempt does not count.
                    _ = try await changed(job, lease) { job in
                        job.state = .waiting
                        job.attempts -= 1
                        job.next = job.changed
                    }
                    return
                }
                job = try await changed(job, lease) { end(&$0, because: error) }
            }
        }
        let ended = job
        if ended.state == .failed { try await blocking { try note(ended) } }
        await onChange(ended)
    }

    private func follow(_ outcome: JobProgress.Outcome, _ job: inout Job) {
        job.crashes = nil
        job.progress = nil
        job.failing = nil
        switch outcome {
        case .then(let step):
            job.step = step
            job.reason = nil
            job.fix = nil
        case .wait(let step, let date, let reason, let fix):
            job.step = step
            job.state = .waiting
            job.attempts = 0
            job.next = date
            job.reason = reason
            job.fix = fix
        case .done:
            job.state = .done
            job.fix = nil
        }
    }

    /// Changes a job, unless the lease is lost.
    ///
    /// The lease is checked between reading the job and writing it conditionally, so that a write by the
    /// next holder in between makes this one fail.
    private func changed(
        _ job: Job,
        _ lease: any WorkLease,
        _ change: @escaping @Sendable (inout Job) -> Void,
    ) async throws -> Job {
        let (store, now) = (store, clock())
        return try await blocking {
            try store.changeJob(job.identifier, at: now) { job in
                try lease.require()
                change(&job)
            }
        }
    }

    /// Records why an attempt failed, and when the next one is due, if another can help.
    private func end(_ job: inout Job, because error: any Error) {
        if case JobRefusal.cancelled(let actor) = error {
            job.state = .cancelled
            job.fix = nil
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
        job.failing = job.failing ?? clock()
        job.next = clock().addingTimeInterval(policy.pause(after: job.attempts))
        endIfHopeless(&job)
    }

    private func endIfHopeless(_ job: inout Job) {
        let isHopeless =
            if job.team == nil {
                job.attempts >= policy.mostAttempts
            } else {
                job.failing.map { clock().timeIntervalSince($0) >= policy.longestAtApple } ?? false
            }
        guard isHopeless || job.crashes ?? 0 >= policy.mostAttempts else { return }
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

/// When the last job in each developer account was begun.
private final class Beginnings: Sendable {
    private let dates = Mutex<[String: Date]>([:])

    func note(_ job: Job, at date: Date) {
        guard job.team != nil else { return }
        dates.withLock { $0[job.lane] = date }
    }

    /// Whether the job must wait; a clock that was set back must not stop everything.
    func isTooEarly(_ job: Job, at date: Date, _ policy: JobPolicy) -> Bool {
        guard job.team != nil, let last = dates.withLock({ $0[job.lane] }) else { return false }
        return (0..<policy.distanceAtApple).contains(date.timeIntervalSince(last))
    }
}

extension Problem.Kind {
    /// Whether another attempt may succeed.
    fileprivate var mayPass: Bool {
        switch self {
        case .busy, .unavailable, .outOfRoom, .failed, .tooMany, .changedMeanwhile: true
        case .malformed, .unauthorised, .refused, .notFound, .conflict, .gone, .tooLarge,
            .unsupported, .invalid:
            false
        }
    }
}
