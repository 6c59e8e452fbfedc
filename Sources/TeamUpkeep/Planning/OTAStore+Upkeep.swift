package import Essentials
package import Jobs
package import Store

extension OTAStore {
    /// Queues what a planner asks for.
    ///
    /// - Parameters:
    ///   - orders: of ``UpkeepPlanner``; the same ones again change nothing.
    ///   - date: now.
    /// - Returns: the jobs that are new.
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
                    // It may have been begun meanwhile.
                    guard job.state == .waiting, job.attempts == 0 else { return }
                    job.next = due
                }
            }
        }
        return added
    }
}
