import AppleDeveloper
import Foundation
import Jobs
import Releases
import Store
import TeamUpkeep

/// A server's work on its jobs, from its start to its end.
struct LoopProcess: Sendable {
    private let world: LoopWorld
    private let fuse: ProcessEnd
    private let store: OTAStore
    private let runner: JobRunner
    private let planner: UpkeepPlanner

    /// Starts it; `fuse` decides when it ends.
    init(in world: LoopWorld, _ fuse: ProcessEnd = ProcessEnd()) throws {
        self.world = world
        self.fuse = fuse
        let store = try OTAStore.open(
            on: EndingBackend(DirectoryBackend(root: world.storePath), fuse)
        )
        self.store = store
        var retries = RetryPolicy()
        retries.attempts = 2
        let opener = AccountOpener(
            store,
            openingWith: world.keyFile,
            at: try AppleEndpoint(AppleInProcess.origin),
            through: EndingTransport(apple: world.apple, fuse: fuse),
            policy: retries,
            timing: world.clock.timing,
        )
        let anchors = world.anchors
        let clock = world.clock
        let signing = SigningWorker(
            store,
            by: SignerOfStore(store: store, keyFile: world.keyFile, anchors: anchors),
            clock: { clock.now },
        ) { anchors }
        var workers = AccountWork(
            store,
            through: opener,
            trusting: { anchors },
            clock: { clock.now },
            random: { clock.bytes($0) },
        ).workers
        workers[.sign] = signing
        runner = JobRunner(store, workers: workers, clock: { clock.now })
        planner = UpkeepPlanner(random: { clock.bytes($0) })
    }

    /// Plans, and works until nothing is due.
    ///
    /// - Returns: whether there was anything to do.
    @discardableResult
    private func round() async throws -> Bool {
        let now = world.clock.now
        let state = try UpkeepState(store, trusting: world.anchors, at: now)
        let orders = planner.orders(for: state, at: now)
        try store.perform(orders, at: now)
        let isBusy = try !store.openJobs().isEmpty
        try await runner.work()
        return isBusy
    }

    /// Works until `end`, and skips the time in which nothing is due.
    func run(until end: Date) async throws {
        while !fuse.isBurnt {
            try await round()
            let now = world.clock.now
            let next = try store.openJobs().compactMap(\.next).min() ?? .distantFuture
            guard now < end else { return }
            // The server plans once an hour by itself; two jobs of a lane start a second apart.
            let wait = min(max(next.timeIntervalSince(now), 1), 3600)
            world.clock.pass(min(wait, end.timeIntervalSince(now)))
        }
    }

    /// Works until no job is open and none is needed, for at most `seconds`.
    func settle(within seconds: TimeInterval = 4 * 86_400) async throws {
        let end = world.clock.now + seconds
        repeat {
            let isBusy = try await round()
            guard !fuse.isBurnt else { return }
            let open = try store.openJobs()
            // Completed jobs may make others necessary.
            guard isBusy else { return }
            let now = world.clock.now
            let next = open.compactMap(\.next).min() ?? now
            world.clock.pass(min(max(next.timeIntervalSince(now), 1), 3600))
        } while world.clock.now < end
    }
}
