package import APIDocuments
import Access
import Bytes
import Foundation
import Identifiers
package import Jobs
import Releases
package import Store

extension Actions {
    static let jobs: [any PerformedAction.Type] = [
        ListJobs.self, ShowJob.self, RetryJob.self, CancelJob.self,
    ]
}

extension ListJobs: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> JobsDocument {
        let store = administration.admin.store
        let jobs = open ? try store.openJobs().reversed() : try store.jobs(count: limit)
        return JobsDocument(
            jobs: try jobs.prefix(limit).map { try JobEntry($0, in: administration.admin.store) }
        )
    }
}

extension ShowJob: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> JobDocument {
        let store = administration.admin.store
        let holder = administration.holder
        let found: Job
        do {
            found = try store.job(named: job)
        } catch JobRefusal.unknown where !holder.may(.admin) {
            throw JobRefusal.notShown(job)
        }
        // Other callers get the answer for a job that does not exist. A job in a developer account belongs
        // to no app.
        guard holder.may(.admin) || found.app != nil && holder.may(.read, on: found.app) else {
            throw JobRefusal.notShown(job)
        }
        return JobDocument(job: try administration.entry(of: found))
    }
}

extension RetryJob: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> JobDocument {
        try administration.admin.change(job, recording: .jobRetried) { job, now in
            guard job.state != .running, job.state != .done else {
                throw JobRefusal.notRetried(job.identifier, job.state)
            }
            job.state = .waiting
            job.attempts = 0
            job.failing = nil
            job.next = now
            job.cancelledBy = nil
            guard job.kind == .sign else { return }
            // An earlier result may be outdated.
            job.step = SigningStep.sign.rawValue
            job.signing?.startOver()
        }
    }
}

extension CancelJob: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> JobDocument {
        let admin = administration.admin
        return try admin.change(job, recording: .jobCancelled) { job, _ in
            guard !job.state.isOver else { throw JobRefusal.isOver(job.identifier, job.state) }
            job.cancelledBy = admin.name
            guard job.state == .waiting else { return }
            job.state = .cancelled
            job.next = nil
            job.fix = nil
            job.reason = "cancelled by \(PrintableText(escaping: admin.name, limit: 100).text)"
        }
    }
}

extension LocalAdministration {
    /// A job with only what the token's holder may see.
    func entry(of job: Job) throws -> JobEntry {
        let entry = try JobEntry(job, in: admin.store)
        return holder.may(.admin) ? entry : entry.withoutPaths
    }
}

extension JobEntry {
    /// A job with the title of its app.
    package init(_ job: Job, in store: OTAStore) throws {
        self.init(job, app: try job.app.flatMap { try store.app($0)?.title })
    }
}

extension Administrator {
    /// Changes a job, and records that.
    ///
    /// - Parameters:
    ///   - text: the job's identifier.
    ///   - event: the event to record.
    ///   - change: changes the job; also receives the current time.
    /// - Returns: the changed job.
    /// - Throws: ``JobRefusal``, `StoreFailure`, and what `change` throws.
    fileprivate func change(
        _ text: String,
        recording event: Activity.Event,
        _ change: (inout Job, Date) throws -> Void,
    ) throws -> JobDocument {
        let now = clock()
        let found = try store.job(named: text)
        var changed = found
        let job = try store.changeJob(found.identifier, at: now) { job in
            try change(&job, now)
            changed = job
        } recording: {
            [
                activity(
                    event,
                    app: try changed.app.flatMap { try store.app($0) },
                    try JobEntry(changed, in: store).title,
                    detail: changed.identifier.rawValue,
                    at: now,
                )
            ]
        }
        return JobDocument(job: try JobEntry(job, in: store))
    }
}
