package import Mirrors
import Releases
import Sandboxing
import Store

/// Syncs and builds that an admin asks for, by command, API or page: a paused mirror refuses them all.
extension MirrorActions {
    /// Syncs a mirror now, after a sync that is running.
    ///
    /// - Parameters:
    ///   - name: of the mirror.
    ///   - onWait: is called once, when another process is syncing it.
    ///   - progress: is given git's own words about how far it is.
    /// - Returns: what was found.
    /// - Throws: ``MirrorRefusal``, `GitFailure`, `ProcessFailure`, `StoreFailure`.
    package func sync(
        _ name: String,
        onWait: () -> Void = {},
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
    ) async throws -> SyncOutcome {
        try await Synchronisation(of: mirrorInUse(name), in: place, by: actor)
            .runInTurn(onWait: onWait, progress: progress)
    }

    /// Queues a manual build.
    ///
    /// - Parameters:
    ///   - build: what is to be built.
    ///   - name: of the mirror.
    ///   - seconds: syncs the mirror first, and gives up after these; nil builds what is known.
    /// - Returns: the build.
    /// - Throws: ``MirrorRefusal``, `GitFailure`, `StoreFailure`; nothing was queued then.
    package func queue(
        _ build: ManualBuild,
        of name: String,
        syncingWithin seconds: Int? = nil,
    ) async throws -> MirrorRun {
        let mirror = try await mirrorInUse(name)
        try build.check()
        if let seconds {
            try await Synchronisation(of: mirror, in: place, by: actor).run(within: seconds)
        }
        return try await build.queue(for: mirror, in: place, by: actor)
    }

    /// Cancels a build that waits or runs.
    ///
    /// - Returns: its record; one that runs ends within seconds, whichever process runs it.
    /// - Throws: ``MirrorRefusal`` when there is no such build, or it has ended; `StoreFailure`.
    @discardableResult
    package func cancelBuild(_ number: Int, of name: String) throws -> MirrorRun {
        let mirror = try place.store.mirror(named: name)
        return try RunQueue(of: mirror.name, in: place).cancel(number, by: actor)
    }

    private func mirrorInUse(_ name: String) async throws -> Mirror {
        let store = place.store
        return try await blocking { try store.mirrorInUse(named: name) }
    }
}
