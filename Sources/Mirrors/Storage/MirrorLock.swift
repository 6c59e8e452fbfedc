package import Identifiers
package import Store

/// Keeps one kind of work on a mirror to one process: on this machine by a lock, and of the servers that
/// share a store elsewhere by a lease, because each of those has a copy of the repository of its own.
package final class MirrorLock: WorkLease {
    package enum Work: String, Sendable {
        case build, fetch
    }

    private let file: FileLock
    private let lease: (any WorkLease)?

    package var isHeld: Bool { lease?.isHeld ?? true }
    package var fence: Int? { lease?.fence }

    /// Takes the work, unless another process does it: then there is nil.
    ///
    /// - Parameters:
    ///   - work: what is to be done.
    ///   - mirror: for which mirror.
    ///   - store: where the mirror is kept.
    ///   - folders: those of this machine.
    /// - Throws: `StoreFailure`.
    package init?(
        _ work: Work,
        of mirror: Slug,
        in store: OTAStore,
        _ folders: MirrorFolders,
    ) throws {
        let path =
            switch work {
            case .build: folders.buildLock(mirror)
            case .fetch: folders.fetchLock(mirror)
            }
        guard let file = try FileLock(path) else { return nil }
        self.file = file
        guard store.isElsewhere else {
            lease = nil
            return
        }
        guard let lease = try store.backend.claim("mirror-\(mirror)-\(work.rawValue)") else {
            return nil
        }
        self.lease = lease
    }
}
