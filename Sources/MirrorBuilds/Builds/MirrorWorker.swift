import Bytes
import Cryptography
import Essentials
import GitRepositories
package import Identifiers
package import Mirrors
import Releases
import Sandboxing
import Store
import Versions

/// Builds what waits for one mirror, one after the other.
package struct MirrorWorker: Sendable {
    private let place: MirrorContext
    private let name: Slug
    private let tap: (@Sendable ([UInt8]) -> Void)?

    /// `tap` is given the logs of builds as they grow.
    package init(
        for mirror: Slug,
        in place: MirrorContext,
        tap: (@Sendable ([UInt8]) -> Void)? = nil,
    ) {
        name = mirror
        self.place = place
        self.tap = tap
    }

    /// Works until nothing waits, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - onStart: is called with each build as it begins.
    ///   - onEnd: is called with each build that has ended, including those that an earlier process
    ///     left interrupted.
    /// - Returns: false when another process builds for this mirror, which then sees what waits.
    /// - Throws: ``MirrorRefusal`` when the mirror is gone or paused, and ``StoreFailure``; a build that goes
    ///   wrong is no error.
    @discardableResult
    package func work(
        onStart: @Sendable (MirrorRun) async -> Void = { _ in },
        onEnd: @Sendable (MirrorRun) async -> Void = { _ in },
    ) async throws -> Bool {
        let lock = try await blocking { () throws -> FileLock? in
            _ = try place.store.mirrorInUse(named: name.rawValue)
            return try FileLock(place.folders.buildLock(name))
        }
        guard let lock else { return false }
        defer { withExtendedLifetime(lock) {} }
        for run in try await queue.endLeftovers(in: place) {
            await place.folders.removeWorkspaces(of: run.number, of: name)
            try await blocking {
                for end in ["", ".partial", ".signed", ".signed.partial"] {
                    _ = unsafe unlink(place.folders.package(run.number, of: name) + end)
                }
                try queue.again(run)
                try note(run)
            }
            await onEnd(run)
        }
        while !Task.isCancelled, let waiting = try await blocking({ try queue.next() }) {
            let (mirror, begun) = try await blocking {
                // It may have been paused while the build before ran.
                let mirror = try place.store.mirrorInUse(named: name.rawValue)
                return (mirror, try begin(waiting))
            }
            guard let run = begun else { continue }
            await onStart(run)
            let ended = try await finished(run, of: mirror)
            try await blocking {
                try queue.again(ended)
                try note(ended)
            }
            await onEnd(ended)
        }
        return true
    }

    private var queue: RunQueue { RunQueue(of: name, in: place) }

    /// - Returns: nil when it was cancelled in between.
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

    private func finished(_ run: MirrorRun, of mirror: Mirror) async throws -> MirrorRun {
        guard let commit = CommitIdentifier(run.commit) else {
            throw GitFailure.badCommit(run.commit)
        }
        let build = Build(place: place, mirror: mirror, run: run, commit: commit, tap: tap)
        return try await build.run()
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
