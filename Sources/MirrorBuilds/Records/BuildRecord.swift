import Identifiers
import Mirrors
import Releases
import Sandboxing
import Store

/// Reads and changes the record of a running build.
struct BuildRecord: Sendable {
    let store: OTAStore
    let number: Int
    let mirror: Slug

    init(of run: MirrorRun, in store: OTAStore) {
        self.store = store
        number = run.number
        mirror = run.mirror
    }

    func change(_ change: @escaping @Sendable (inout MirrorRun) -> Void) async throws {
        _ = try await blocking { try store.changeRun(number, of: mirror, change) }
    }

    /// - Throws: ``BuildStop/cancelled(by:)`` once a user has cancelled the build.
    func checkCancelled() async throws {
        try await blocking { try checkNow() }
    }

    /// Does the same as ``checkCancelled()``, on a thread that may block.
    func checkNow() throws {
        if let who = try store.run(number, of: mirror)?.cancelledBy {
            throw BuildStop.cancelled(by: who)
        }
    }

    /// Runs a long operation, and cancels it if the build is cancelled.
    func untilCancelled(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await body() }
            tasks.addTask {
                while await blocking({ (try? store.run(number, of: mirror)?.cancelledBy) == nil }) {
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
}
