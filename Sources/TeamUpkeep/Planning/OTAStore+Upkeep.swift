package import Essentials
package import Jobs
package import Store

extension OTAStore {
    /// Queues the jobs that the planner orders.
    ///
    /// - Parameters:
    ///   - orders: the orders of ``UpkeepPlanner``; repeating them changes nothing.
    ///   - date: the current time.
    /// - Returns: the new jobs.
    /// - Throws: `JobRefusal/queueFull(_:)` and ``StoreFailure``.
    @discardableResult
    package func perform(_ orders: [UpkeepPlanner.Order], at date: Date) throws -> [Job] {
        var added: [Job] = []
        for order in orders {
            switch order {
            case .add(let job):
                let result = try add(job)
                if result.isCreated { added.append(result.job) }
            case .move(let identifier, let due):
                try changeJob(identifier, at: date) { job in
                    // The job may have begun in the meantime.
                    guard job.state == .waiting, job.attempts == 0 else { return }
                    job.next = due
                }
            }
        }
        return added
    }
}
