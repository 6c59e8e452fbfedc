import Essentials
import Mirrors
import Releases
import Runners
import Sandboxing
import Store

/// Builds that a process left behind; only the process that holds the mirror's build lock may use these.
extension RunQueue {
    /// Builds that a process left behind, oldest first.
    func leftovers() throws -> [MirrorRun] {
        try open().filter { $0.state == .running }
    }

    /// Marks a build that a process left behind as interrupted, in its record and in its log.
    ///
    /// - Parameters:
    ///   - run: one of ``leftovers()``.
    ///   - limits: the mirror's limits.
    ///   - place: has the folder of the build's log, which is kept, and the control groups of builds.
    /// - Returns: the build's record.
    /// - Throws: `StoreFailure`, and why the log cannot be written.
    func endLeftover(
        _ run: MirrorRun,
        within limits: MirrorLimits,
        in place: MirrorContext,
    ) async throws -> MirrorRun {
        if let mark = run.mark { await ProcessMark(mark, in: place.controlGroups).killAll() }
        let reason = "the process that ran it ended"
        let log = try await log(of: run, within: limits, in: place)
        log.endOutput()
        log.say("\(MirrorRun.State.interrupted.rawValue): \(reason)")
        return try await blocking {
            let blob = try store.put(try log.bytes())
            let ended = try end(run, .interrupted, because: reason, log: blob)
            _ = unsafe unlink(log.path)
            try store.removeStage(ofEnded: run, place.folders)
            return ended
        }
    }

    /// What a crash left of the log, with all output that the server has acknowledged to a runner.
    private func log(
        of run: MirrorRun,
        within limits: MirrorLimits,
        in place: MirrorContext,
    ) async throws -> BuildLog {
        let (secrets, stage) = try await blocking {
            (
                try store.secrets(of: mirror).variables,
                try store.stage(of: run.number, mirror, isCurrent: true),
            )
        }
        // What follows a stage began only after all of the stage was in the log.
        let rest = stage.flatMap { $0.isFollowed(in: run) || !run.artifacts.isEmpty ? nil : $0 }
        let log = try await blocking {
            try BuildLog(
                at: place.folders.log(run.number, of: mirror),
                hiding: secrets.values,
                limit: limits.logBytes,
                keeping: rest?.logStart ?? .max,
            )
        }
        if rest != nil {
            var follower = StageFollower(of: run, into: log, in: place)
            await follower.takeRest()
        }
        return log
    }
}
