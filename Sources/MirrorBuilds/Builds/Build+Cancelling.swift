import Mirrors
import Releases
import Sandboxing
import Store

/// Builds that are to be cancelled while no step runs.
extension Build {
    /// Runs something long, and cancels it when the build is cancelled.
    func untilCancelled(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let (store, run) = (store, run)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await body() }
            tasks.addTask {
                while await blocking({
                    (try? store.run(run.number, of: run.mirror)?.cancelledBy) == nil
                }) {
                    try await Task.sleep(for: .milliseconds(500))
                }
                throw CancellationError()
            }
            defer { tasks.cancelAll() }
            do {
                try await tasks.next()
            } catch {
                try await checkCancelled()
                throw error
            }
        }
    }

    func checkCancelled() async throws {
        let record = try await blocking { try store.run(run.number, of: mirror.name) }
        if let who = record?.cancelledBy {
            throw BuildStop.cancelled(by: who)
        }
    }
}
