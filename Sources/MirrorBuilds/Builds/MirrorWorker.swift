import Bytes
import Cryptography
import Essentials
import GitRepositories
package import Identifiers
package import Mirrors
import Releases
import Runners
import Sandboxing
import Store
import Versions

/// Runs the queued builds of one mirror, one after the other.
package struct MirrorWorker: Sendable {
    private let place: MirrorContext
    private let name: Slug
    private let tap: (@Sendable ([UInt8]) -> Void)?

    /// `tap` receives the logs of builds as they grow.
    package init(
        for mirror: Slug,
        in place: MirrorContext,
        tap: (@Sendable ([UInt8]) -> Void)? = nil,
    ) {
        name = mirror
        self.place = place
        self.tap = tap
    }

    /// Runs builds until the queue is empty or the task is cancelled.
    ///
    /// Builds that an earlier process left are ended first, even if the mirror is paused.
    ///
    /// - Parameters:
    ///   - onStart: called with each build as it begins.
    ///   - onEnd: called with each build that has ended, including those that an earlier process left
    ///     interrupted.
    /// - Returns: false if another process runs this mirror's builds, which then finds the queued ones.
    /// - Throws: ``MirrorRefusal`` if the mirror does not exist or is paused, and ``StoreFailure``; a
    ///   failed build is not an error.
    @discardableResult
    package func work(
        onStart: @Sendable (MirrorRun) async -> Void = { _ in },
        onEnd: @Sendable (MirrorRun) async -> Void = { _ in },
    ) async throws -> Bool {
        let lock = try await blocking { () throws -> MirrorLock? in
            _ = try place.store.mirror(named: name.rawValue)
            return try MirrorLock(.build, of: name, in: place.store, place.folders)
        }
        guard let lock else {
            _ = try await blocking { try place.store.mirrorInUse(named: name.rawValue) }
            return false
        }
        defer { withExtendedLifetime(lock) {} }
        // Once another server may build, the store refuses anything that this build would still write or
        // publish.
        try await MirrorWorker(for: name, in: place.under(lock), tap: tap)
            .buildAll(onStart: onStart, onEnd: onEnd)
        return true
    }

    private func buildAll(
        onStart: @Sendable (MirrorRun) async -> Void,
        onEnd: @Sendable (MirrorRun) async -> Void,
    ) async throws {
        let leftovers = try await blocking {
            try place.store.removeStages(leftIn: name, place.folders)
            return try queue.leftovers()
        }
        for run in leftovers {
            let ended: MirrorRun
            let mirror = try await blocking { try place.store.mirror(named: name.rawValue) }
            if let stage = try await blocking({ try self.stage(leftBy: run) }) {
                // The build continues when the mirror is resumed.
                guard !mirror.isPaused else { continue }
                let begun = try await blocking { try takeUp(run, at: stage) }
                if let mark = run.mark {
                    await ProcessMark(mark, in: place.controlGroups).killAll()
                }
                guard let end = try await finished(begun, of: mirror, from: stage) else {
                    return
                }
                ended = end
            } else {
                ended = try await queue.endLeftover(run, within: mirror.limits, in: place)
            }
            await place.folders.removeWorkspaces(of: run.number, of: name)
            try await blocking {
                for end in ["", ".partial", ".signed", ".signed.partial"] {
                    _ = unsafe unlink(place.folders.package(run.number, of: name) + end)
                }
                try queue.again(ended)
                try note(ended)
            }
            await onEnd(ended)
        }
        _ = try await blocking { try place.store.mirrorInUse(named: name.rawValue) }
        while !Task.isCancelled, let waiting = try await blocking({ try queue.next() }) {
            let (mirror, begun) = try await blocking {
                // The mirror may have been paused during the previous build.
                let mirror = try place.store.mirrorInUse(named: name.rawValue)
                return (mirror, try begin(waiting))
            }
            guard let run = begun else { continue }
            await onStart(run)
            guard let ended = try await finished(run, of: mirror) else { return }
            try await blocking {
                try queue.again(ended)
                try note(ended)
            }
            await onEnd(ended)
        }
    }

    private var queue: RunQueue { RunQueue(of: name, in: place) }

    /// - Returns: nil if the build was cancelled in the meantime.
    private func begin(_ waiting: MirrorRun) throws -> MirrorRun? {
        let now = place.now
        let mark = Hex.encode(randomBytes(16))
        let run = try place.store.changeRun(waiting.number, of: name) { run in
            guard run.state == .queued else { return }
            run.state = .running
            run.began = now
            run.mark = mark
        }
        return run.state == .running ? run : nil
    }

    /// The stage at which the build of an earlier process can continue; nil if it cannot.
    private func stage(leftBy run: MirrorRun) throws -> RunnerStage? {
        guard let stage = try place.store.stage(of: run.number, name, isCurrent: true) else {
            return nil
        }
        let hasCheckout = [false, true].contains { isOthers in
            place.folders.workspace(run.number, of: name, isOthers: isOthers).isThere
        }
        return stage.canGoOn(run, hasCheckout: hasCheckout) ? stage : nil
    }

    /// Records that this process continues a build; everything after the stage is run again.
    private func takeUp(_ run: MirrorRun, at stage: RunnerStage) throws -> MirrorRun {
        let last = stage.steps.last?.index ?? 0
        return try place.store.changeRun(run.number, of: name) { run in
            if stage.state == .finished { run.resumptions = (run.resumptions ?? 0) + 1 }
            run.artifacts = []
            for index in run.steps.indices where index > last {
                let labels = run.steps[index].runsOn
                run.steps[index] = MirrorRun.Step(name: run.steps[index].name)
                run.steps[index].runsOn = labels
            }
            let words = "the server restarted while the build ran"
            if !run.warnings.contains(words) { run.warnings.append(words) }
        }
    }

    private func finished(
        _ run: MirrorRun,
        of mirror: Mirror,
        from stage: RunnerStage? = nil,
    ) async throws -> MirrorRun? {
        guard let commit = CommitIdentifier(run.commit) else {
            throw GitFailure.badCommit(run.commit)
        }
        return try await Build(
            place: place,
            mirror: mirror,
            run: run,
            commit: commit,
            left: stage,
            tap: tap,
        ).run()
    }

    private func note(_ run: MirrorRun) throws {
        let outcome = run.reason.map { "\(run.state.rawValue): \($0)" } ?? run.state.rawValue
        let what = run.isRebuild ? "rebuild requested" : "requested"
        let asker = run.cause == .manual ? "; \(what) by \(run.actor)" : ""
        var activity = Activity(
            date: place.now,
            actor: "mirror \(name)",
            event: .buildEnded,
            subject: "\(name) \(run.subject)",
            detail: outcome + asker,
        )
        if run.state == .failed {
            activity.failedBuild = FailedBuild(
                run.number,
                of: name,
                subject: run.subject,
                reason: run.reason ?? "",
                issues: run.issues ?? [],
            )
        }
        try place.store.record(activity)
    }
}
