import Bytes
import Essentials
import GitRepositories
import Identifiers
package import Mirrors
import Releases
import Sandboxing
import Store
import Versions

/// Syncs a mirror, and queues builds of what has changed.
package struct Synchronisation: Sendable {
    private let place: MirrorContext
    private let mirror: Mirror
    private let actor: String

    /// `actor` is who requested the sync: a user, `schedule` or `webhook`.
    package init(of mirror: Mirror, in place: MirrorContext, by actor: String) {
        self.mirror = mirror
        self.place = place
        self.actor = actor
    }

    /// Fetches, compares with the previous sync, and queues builds of new tags and moved branches.
    ///
    /// The first sync builds nothing: what was there before the mirror is history. A tag that is on another
    /// commit than at first is reported, and not built.
    ///
    /// - Throws: ``GitFailure`` and ``ProcessFailure``, which are also recorded for `ota mirror show`;
    ///   ``MirrorRefusal/busy(_:)`` while another sync is running, ``MirrorRefusal/paused(_:)``;
    ///   ``StoreFailure``.
    package func run(
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil
    ) async throws -> SyncOutcome {
        let lock = try await blocking { () throws -> MirrorLock in
            _ = try place.store.mirrorInUse(named: mirror.name.rawValue)
            guard
                let lock = try MirrorLock(
                    .fetch,
                    of: mirror.name,
                    in: place.store,
                    place.folders,
                )
            else { throw MirrorRefusal.busy(mirror.name) }
            return lock
        }
        defer { withExtendedLifetime(lock) {} }
        return try await Synchronisation(of: mirror, in: place.under(lock), by: actor)
            .fetchAndApply(progress)
    }

    private func fetchAndApply(
        _ progress: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) async throws -> SyncOutcome {
        let before = try await blocking { try begin() }
        do {
            let references = try await fetched(progress)
            return try await blocking { try apply(references, answering: before.asked) }
        } catch {
            try await blocking { try note(error, on: before) }
            throw error
        }
    }

    /// Clears the pending request for a sync: a push from here on requests another one.
    private func begin() throws -> MirrorState {
        var before = try place.store.mirrorState(mirror.name)
        guard before.isDue else { return before }
        try place.store.changeMirrorState(mirror.name) { state in
            state.isDue = false
            state.asker = nil
            before.asked = state.asked
        }
        return before
    }

    /// Does the same as ``run(progress:)``, after waiting for a running sync to end: a server syncs a new
    /// mirror as soon as it exists.
    ///
    /// - Parameters:
    ///   - onWait: called once if another sync is running.
    ///   - progress: receives git's progress output.
    /// - Returns: what the sync found.
    /// - Throws: what ``run(progress:)`` throws.
    package func runInTurn(
        onWait: () -> Void = {},
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
    ) async throws -> SyncOutcome {
        for attempt in 0..<Self.attempts {
            do {
                return try await run(progress: progress)
            } catch MirrorRefusal.busy {
                if attempt == 0 { onWait() }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        return try await run(progress: progress)
    }

    /// Ten minutes' worth; no fetch takes longer.
    private static let attempts = 6000

    /// Does the same as ``runInTurn(onWait:progress:)`` within a time limit, for a page that a browser
    /// waits for.
    ///
    /// - Throws: also ``MirrorRefusal/syncTakesLong(_:seconds:)``; a fetch that has begun is then ended.
    @discardableResult
    package func run(within seconds: Int) async throws -> SyncOutcome {
        try await withThrowingTaskGroup(of: SyncOutcome.self) { tasks in
            let name = mirror.name
            tasks.addTask { try await runInTurn() }
            tasks.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw MirrorRefusal.syncTakesLong(name, seconds: seconds)
            }
            defer { tasks.cancelAll() }
            guard let report = try await tasks.next() else { throw CancellationError() }
            return report
        }
    }

    private func fetched(
        _ progress: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) async throws -> [BareRepository.Reference] {
        let repository = place.repository(of: mirror)
        try await repository.prepare()
        try await place.fetch(
            mirror.address,
            into: repository,
            for: mirror,
            progress: progress,
        )
        return try await repository.references()
    }

    /// Records a failed sync.
    ///
    /// A sync that was requested stays due.
    private func note(_ failure: any Error, on before: MirrorState) throws {
        let isStopped = failure is CancellationError
        let now = place.now
        let words = PrintableText(escaping: "\(failure)", limit: 500).text
        // The mirror's address may have changed since; the failure says nothing about the new one.
        let isCurrent = try place.store.mirrors()[mirror.name]?.address == mirror.address
        try place.store.changeMirrorState(mirror.name) { state in
            if before.isDue {
                state.isDue = true
                state.asker = state.asker ?? before.asker
            }
            guard !isStopped, isCurrent else { return }
            state.synced = now
            state.problem = words
            state.failure = SyncFailure(failure)
            state.answered = before.asked
        }
    }

    /// Queues the plan's builds, and records the result.
    ///
    /// It reads and writes the store, so it runs on a thread that may block.
    private func apply(
        _ references: [BareRepository.Reference],
        answering asked: Int?,
    ) throws -> SyncOutcome {
        let now = place.now
        var before = MirrorState()
        // Another server may have synced a moment ago. A change sees the store's current document; a plain
        // read may return this server's cached one.
        try place.store.changeMirrorState(mirror.name) { state in
            state.synced = now
            before = state
        }
        let plan = SyncPlan(for: mirror, from: before, to: references, by: actor)
        let (queued, postponed) = try queue(plan.requests)
        let report = SyncOutcome(plan, of: mirror, queued: queued)
        for remark in plan.remarks { try record(remark, at: now) }
        try place.store.changeMirrorState(mirror.name) { state in
            plan.note(in: &state, postponing: postponed, queued: queued.compactMap(\.reference))
            state.synced = now
            state.hasSynced = true
            state.problem = nil
            state.failure = nil
            state.answered = asked
            state.report = SyncReport(report)
            guard !postponed.isEmpty else { return }
            // As after a failed sync: soon again, but not at once.
            state.isDue = true
            state.problem =
                "\(MirrorRefusal.queueFull(RunQueue.limit)); \(postponed.count) more are queued "
                + "later"
        }
        return report
    }

    /// - Returns: the builds, and the full names of the references for which the queue had no room.
    private func queue(_ requests: [RunRequest]) throws -> ([MirrorRun], postponed: Set<String>) {
        let queue = RunQueue(of: mirror.name, in: place)
        var queued: [MirrorRun] = []
        var postponed: Set<String> = []
        for request in requests {
            guard postponed.isEmpty, try queue.hasRoom(for: request) else {
                if let name = request.reference { postponed.insert(name) }
                continue
            }
            if let run = try queue.add(request) { queued.append(run) }
        }
        return (queued, postponed)
    }

    private func record(_ remark: String, at now: Date) throws {
        try place.store.record(
            Activity(
                date: now,
                actor: mirror.publisher,
                event: .tagRefused,
                subject: mirror.name.rawValue,
                detail: remark,
            )
        )
    }
}
