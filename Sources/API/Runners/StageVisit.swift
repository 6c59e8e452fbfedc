import Cryptography
import Foundation
import Identifiers
import Mirrors
import Runners
import SiteServices

/// A request of the runner that has, or had, a stage.
struct StageVisit: Sendable {
    let site: Site
    let runner: Runner
    let mirror: Slug
    let build: Int
    let attempt: Int

    /// The stage, if the runner still has it for this attempt.
    ///
    /// - Throws: ``RunnerRefusal/leaseEnded``, also for a mirror for which the runner may not build (any
    ///   more).
    func stage() throws -> RunnerStage {
        guard runner.mirrors.contains(mirror) else { throw RunnerRefusal.leaseEnded }
        return try site.store.stage(of: build, mirror, heldBy: runner.name, as: attempt)
    }

    /// - Throws: ``RunnerRefusal/leaseEnded``, also if the lease ended while a body was received.
    func requireLease() throws { _ = try stage() }

    /// Renews the runner's lease.
    func renewed() throws -> RunnerStage {
        let stage = try stage()
        var copy = stage
        copy.renew(at: site.now)
        return copy == stage ? stage : try change { $0.renew(at: site.now) }
    }

    @discardableResult
    func change(_ change: (inout RunnerStage) throws -> Void) throws -> RunnerStage {
        guard runner.mirrors.contains(mirror) else { throw RunnerRefusal.leaseEnded }
        return try site.store.changeStage(
            of: build,
            mirror,
            heldBy: runner.name,
            as: attempt,
            change,
        )
    }

    /// The stage in any state; nil if it no longer exists, or the runner may not build for its mirror.
    func stageInAnyState() throws -> RunnerStage? {
        guard runner.mirrors.contains(mirror) else { return nil }
        return try site.store.stage(of: build, mirror, isCurrent: true)
    }

    func folders() throws -> MirrorFolders { try MirrorFolders(of: site.store) }

    func logPath() throws -> String {
        try folders().stageLog(build, attempt: attempt, of: mirror)
    }

    func archivePath() throws -> String {
        try folders().stageArchive(build, attempt: attempt, of: mirror)
    }
}
