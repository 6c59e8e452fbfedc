package import Foundation
import HTTPServing
import Identifiers
package import Logging
import Mirrors
import NIOCore
import NIOPosix
import Runners
import ServiceLifecycle
package import Store
import Synchronization

/// Assigns stages of builds to the agents that poll for work, while the server runs.
///
/// Stages are documents, which any process may write. While no agent is polling and no stage is leased, the
/// board checks nothing; otherwise it only checks whether the folder of stages has changed.
package final class RunnerBoard: Service, Sendable {
    /// A stage that was assigned to a runner, now or earlier.
    struct Given: Sendable {
        let stage: RunnerStage
        /// Whether the runner already had it.
        let resumes: Bool
    }

    private struct State {
        var number = 0
        /// The waiting polls in order of arrival; one per runner.
        var waiting: [WaitingPoll] = []
        /// The stamp of the folder of stages when it last had nothing to assign.
        var settled: ChangeStamp?
        /// When the first lease expires; the distant past until the stages are first checked.
        var nextEnd: Date? = .distantPast
        /// When the waiting runners were last recorded.
        var noted: ContinuousClock.Instant?
        var presence = RunnerPresence()
        var isStopped = false
        var complaint: String?
    }

    private let store: OTAStore
    private let follower: ActivityFollower
    private let leaseLife: Double
    private let clock: @Sendable () -> Date
    private let logger: Logger
    /// When the server started to listen; no agent could reach it before.
    private let started: Date
    private let state = Mutex(State())
    /// Held while a stage is assigned, so that no runner gets two.
    private let giving = Mutex(())

    /// The interval at which the store is checked for offered stages.
    private static let beat = Duration.milliseconds(500)
    /// The interval at which waiting runners are recorded.
    private static let noting = Duration.seconds(Runner.seenGrain)

    /// - Parameters:
    ///   - store: the store with the stages.
    ///   - follower: determines when to check the store.
    ///   - leaseLife: the seconds without a message after which a runner loses its lease.
    ///   - clock: returns the current time.
    ///   - logger: receives failures and lost leases.
    package init(
        _ store: OTAStore,
        follower: ActivityFollower,
        leaseLife: Double = RunnerStage.leaseLife,
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
    ) {
        self.store = store
        self.follower = follower
        self.leaseLife = leaseLife
        self.clock = clock
        self.logger = logger
        started = clock()
    }

    // MARK: Agents

    /// Returns the next stage for a runner, or the one that it has; ends an earlier poll of the runner.
    ///
    /// - Parameters:
    ///   - runner: the polling runner.
    ///   - wait: how long the poll may wait.
    ///   - channel: the connection of the poll; no stage is assigned to one that has closed.
    /// - Returns: nil if there is none in that time.
    /// - Throws: `StoreFailure`.
    func stage(
        for runner: Slug,
        within wait: Duration,
        over channel: any Channel,
    ) async throws -> Given? {
        state.withLock { state in
            if state.presence.polls(runner) { state.noted = nil }
        }
        if let given = try await working({ try self.give(to: runner) }) { return given }
        guard wait > .zero else { return nil }
        return await withCheckedContinuation { continuation in
            let (ended, number) = state.withLock { state in
                guard !state.isStopped else { return ([continuation], 0) }
                let ended = state.waiting.filter { $0.runner == runner }.map(\.continuation)
                state.waiting.removeAll { $0.runner == runner }
                state.number += 1
                state.waiting.append(
                    WaitingPoll(
                        number: state.number,
                        runner: runner,
                        end: .now + wait,
                        channel: channel,
                        continuation: continuation,
                    )
                )
                // A stage may have been offered since the last check for this runner.
                state.settled = nil
                return (ended, state.number)
            }
            for continuation in ended { continuation.resume(returning: nil) }
            InputEndWatch.watch(channel) { [weak self] in
                self?.end(number)
            }
        }
    }

    /// Records that a runner has finished a build: it will poll again soon, unless its agent has ended.
    func expects(_ runner: Slug) {
        let date = clock()
        state.withLock { $0.presence.leaves(runner, at: date, .now, for: RunnerPresence.tidying) }
    }

    /// Ends a poll whose connection has closed.
    private func end(_ number: Int) {
        guard let waiting = remove(number) else { return }
        let date = clock()
        state.withLock { $0.presence.leaves(waiting.runner, at: date, .now) }
        waiting.continuation.resume(returning: nil)
    }

    /// The stage that a runner has, or gets without waiting.
    private func give(to runner: Slug) throws -> Given? {
        try giving.withLock { _ in
            let date = clock()
            let runners = try store.runners()
            guard let runner = runners[runner] else { return nil }
            try store.giveUpStages(
                of: runner.name,
                except: runner.mayBuild,
                because: "runner \(runner.name) may no longer take this build",
            )
            if let stage = try store.heldStage(by: runner.name, at: date) {
                return Given(stage: stage, resumes: true)
            }
            try expire(at: date)
            let choice = try choice(among: try store.stages(), for: runners, at: date)
            return choice.isEmpty ? nil : try take(from: choice, for: runner, at: date)
        }
    }

    private func choice(
        among stages: [RunnerStage],
        for runners: RunnerRegister,
        at date: Date,
    ) throws -> StageChoice {
        let paused = try store.mirrors().mirrors.filter(\.isPaused).map(\.name)
        return StageChoice(
            among: stages,
            for: runners.runners,
            exceptOf: Set(paused),
            at: date,
        )
    }

    private func take(
        from choice: StageChoice,
        for runner: Runner,
        at date: Date,
    ) throws -> Given? {
        for offered in choice.stages(for: runner) {
            let leased = try store.lease(
                offered.build,
                offered.mirror,
                to: runner.name,
                at: date,
                for: leaseLife,
            )
            guard let leased else { continue }
            state.withLock { state in
                state.nextEnd = [state.nextEnd, [leased].nextEnd].compactMap(\.self).min()
            }
            logger.info(
                "a runner started a build",
                metadata: [
                    "runner": "\(runner.name)", "mirror": "\(leased.mirror)",
                    "build": "\(leased.build)", "attempt": "\(leased.latestAttempt)",
                ],
            )
            return Given(stage: leased, resumes: false)
        }
        return nil
    }

    private func expire(at date: Date) throws {
        for (stage, reason) in try store.expireStages(at: date, listeningSince: started) {
            logger.warning(
                "a runner has lost its lease",
                metadata: [
                    "mirror": "\(stage.mirror)", "build": "\(stage.build)", "reason": "\(reason)",
                ],
            )
        }
    }

    // MARK: Running

    package func run() async throws {
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown {
                for await _ in self.follower.beats(every: Self.beat) { await self.look() }
            }
        } onGracefulShutdown: {
            self.stop()
        }
        stop()
    }

    private func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in waiting { waiting.continuation.resume(returning: nil) }
    }

    private func look() async {
        let date = clock()
        let (ended, isQuiet, waiting, gone) = state.withLock { state in
            let now = ContinuousClock.now
            let ended = state.waiting.filter { $0.isOver(at: now) }
            state.waiting.removeAll { $0.isOver(at: now) }
            for waiting in ended { state.presence.leaves(waiting.runner, at: date, now) }
            let gone = state.presence.newlyGone(at: now)
            var waiting: [Slug] = []
            if !state.waiting.isEmpty, state.noted.map({ now - $0 >= Self.noting }) ?? true {
                state.noted = now
                waiting = state.waiting.map(\.runner)
            }
            let isQuiet = state.waiting.isEmpty && state.nextEnd == nil && gone.isEmpty
            return (ended, isQuiet, waiting, gone)
        }
        for waiting in ended { waiting.continuation.resume(returning: nil) }
        guard !isQuiet else { return }
        do {
            try await working {
                if !gone.isEmpty { try self.store.noteRunners(gone: gone) }
                if !waiting.isEmpty { try self.store.noteRunners(waiting: waiting, at: date) }
                try self.giveAll()
            }
            state.withLock { $0.complaint = nil }
        } catch {
            complain("\(error)")
        }
    }

    /// Assigns offered stages to the waiting runners.
    private func giveAll() throws {
        let date = clock()
        let (isAsked, isLeaseOver, settled) = state.withLock { state in
            (!state.waiting.isEmpty, state.nextEnd.map { date > $0 } ?? false, state.settled)
        }
        guard isAsked || isLeaseOver else { return }
        guard let stamp = try store.backend.knownStamp(of: .stages) else {
            return state.withLock { $0.nextEnd = nil }
        }
        guard isLeaseOver || settled != stamp else { return }
        try giving.withLock { _ in
            try expire(at: date)
            let runners = try store.runners()
            var stages = try store.stages()
            let choice = try choice(among: stages, for: runners, at: date)
            let waiting = choice.isEmpty ? [] : state.withLock { $0.waiting }
            for waiting in waiting {
                guard let runner = runners[waiting.runner], stages.held(by: runner.name) == nil,
                    let given = try take(from: choice, for: runner, at: date)
                else { continue }
                guard let asked = remove(waiting.number) else {
                    try store.takeBack(given.stage)
                    continue
                }
                asked.continuation.resume(returning: given)
            }
            if !waiting.isEmpty { stages = try store.stages() }
            let (end, isEmpty) = (stages.nextEnd, choice.isEmpty)
            state.withLock { state in
                // A stage that suits no current runner may suit one later without changing.
                state.settled = isEmpty && stamp.isSettled ? stamp : nil
                // Leases are extended if the server was down.
                state.nextEnd = end.map { max($0, started.addingTimeInterval(leaseLife)) }
            }
        }
    }

    private func remove(_ number: Int) -> WaitingPoll? {
        state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
    }

    private func working<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    /// Logs a problem once, until it changes.
    private func complain(_ reason: String) {
        guard !Task.isCancelled else { return }
        let isNew = state.withLock { state in
            defer { state.complaint = reason }
            return state.complaint != reason
        }
        if isNew { logger.error("runners get no work", metadata: ["reason": "\(reason)"]) }
    }
}
