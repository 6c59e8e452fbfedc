import Foundation
import Jobs
import Logging
import NIOPosix
import Releases
import ServiceLifecycle
import Store
import Synchronization
import TeamUpkeep

/// Runs the jobs of the store as they become due, while the server runs.
///
/// They are in the store, so that a job that was running when a server ended is begun again by the next
/// one. While no job is waiting, a check lists one folder.
final class JobService: Service {
    private let store: OTAStore
    private let follower: ActivityFollower
    private let runner: JobRunner
    private let upkeep: UpkeepWatch
    private let clock: @Sendable () -> Date
    private let duties: Duties
    private let logger: Logger
    private let state = Mutex(State())

    /// How often the store is checked for due jobs.
    private static let beat = Duration.seconds(1)

    private struct State {
        /// The version of the jobs' folder after which no job was due.
        var settled: ChangeStamp?
        /// When the next waiting job is due; nil if none is waiting.
        var next: Date?
        /// The last problem that was logged.
        var complaint: String?
    }

    init(
        store: OTAStore,
        follower: ActivityFollower,
        runner: JobRunner,
        upkeep: UpkeepWatch,
        clock: @escaping @Sendable () -> Date,
        duties: Duties,
        logger: Logger,
    ) {
        self.store = store
        self.follower = follower
        self.runner = runner
        self.upkeep = upkeep
        self.clock = clock
        self.duties = duties
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // What developer accounts need is also determined while jobs run.
            async let planning: Void = self.plan()
            await self.look()
            for await _ in self.follower.beats(every: Self.beat) { await self.look() }
            await planning
        }
    }

    /// Queues jobs that developer accounts need, while the server runs and is the leader.
    private func plan() async {
        let upkeep = upkeep
        for await _ in follower.beats(every: Self.beat) where duties.lease != nil {
            do {
                try await NIOThreadPool.singleton.runIfActive { try upkeep.look() }
            } catch {
                complain("\(error)")
            }
        }
    }

    private func look() async {
        do {
            guard let stamp = try await due() else { return }
            let logger = logger
            // If a command is running jobs, the next beat checks again.
            let isOurs = try await runner.work { job in
                guard job.state.isOver else { return }
                logger.info(
                    "a job has ended",
                    metadata: [
                        "job": "\(job.identifier)", "kind": "\(job.kind.rawValue)",
                        "state": "\(job.state.rawValue)",
                    ],
                )
            }
            let store = store
            let next = try await NIOThreadPool.singleton.runIfActive {
                try store.openJobs().compactMap(\.next).min()
            }
            state.withLock { state in
                state.settled = isOurs && stamp.isSettled ? stamp : nil
                state.next = next
                state.complaint = nil
            }
        } catch {
            complain("\(error)")
        }
    }

    /// The version of the jobs' folder, if a job in it may be due.
    private func due() async throws -> ChangeStamp? {
        let store = store
        let stamp = try await NIOThreadPool.singleton.runIfActive {
            try store.backend.knownStamp(of: .jobs)
        }
        guard let stamp else { return nil }
        let now = clock()
        let isQuiet = state.withLock { state in
            state.settled == stamp && state.next.map { $0 > now } ?? true
        }
        return isQuiet ? nil : stamp
    }

    /// Logs a problem, and not again while it stays the same.
    private func complain(_ reason: String) {
        guard !Task.isCancelled else { return }
        let isNew = state.withLock { state in
            defer { state.complaint = reason }
            return state.complaint != reason
        }
        if isNew { logger.error("jobs cannot be run", metadata: ["reason": "\(reason)"]) }
    }
}
