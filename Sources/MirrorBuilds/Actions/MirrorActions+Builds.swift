package import Mirrors
import Releases
import Sandboxing
import Store

/// Syncs and builds that an admin requests by command, API or page. A paused mirror refuses them all.
extension MirrorActions {
    /// Syncs a mirror now, or as soon as a running sync has ended.
    ///
    /// - Parameters:
    ///   - name: the mirror's name.
    ///   - onWait: called once if another process is syncing the mirror.
    ///   - progress: receives git's progress output.
    /// - Returns: what the sync found.
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
    ///   - build: what to build.
    ///   - name: the mirror's name.
    ///   - seconds: the time limit of a sync before the build; nil builds from what the last sync fetched.
    /// - Returns: the queued build.
    /// - Throws: ``MirrorRefusal``, `GitFailure`, `StoreFailure`; nothing is queued then.
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

    /// Cancels a build that is queued or running.
    ///
    /// - Returns: its record; a running build ends within seconds, in whichever process it runs.
    /// - Throws: ``MirrorRefusal`` if the build does not exist or has ended; `StoreFailure`.
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
