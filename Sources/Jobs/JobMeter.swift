import Bytes
package import Store
import Synchronization

/// Writes the progress of a running job to its document, so that every process with the store sees it.
///
/// It writes at most once per interval, however many parts there are.
package final class JobMeter: Sendable {
    private let store: OTAStore
    private let job: JobIdentifier
    private let distance: Duration
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameters:
    ///   - store: the store with the job.
    ///   - job: the running job.
    ///   - distance: the least interval between two changes of the job's document.
    package init(_ store: OTAStore, _ job: JobIdentifier, every distance: Duration = .seconds(1)) {
        self.store = store
        self.job = job
        self.distance = distance
    }

    /// Records that parts are done.
    ///
    /// A failed write does not stop the work.
    package func note(_ done: Int, of total: Int) {
        let isDue = last.withLock { last in
            let now = ContinuousClock.now
            if let last, now - last < distance { return false }
            last = now
            return true
        }
        guard isDue else { return }
        try? store.note(JobParts(done, of: total), of: job)
    }
}

extension OTAStore {
    /// Records the progress of a running job, which does not count as a change of the job.
    fileprivate func note(_ parts: JobParts, of identifier: JobIdentifier) throws {
        guard let job = try job(identifier), job.state == .running else { return }
        try changeJob(identifier, at: job.changed) { job in
            if job.state == .running { job.progress = parts }
        }
    }
}
