package import Identifiers
package import Store

/// Keeps one kind of work on a mirror to one process.
///
/// On this machine this is a lock. Among servers that share a store elsewhere it is a lease, because each
/// of them has its own copy of the repository.
package final class MirrorLock: WorkLease {
    package enum Work: String, Sendable {
        case build, fetch
    }

    private let file: FileLock
    private let lease: (any WorkLease)?

    package var isHeld: Bool { lease?.isHeld ?? true }
    package var fence: Int? { lease?.fence }

    /// Takes the lock; nil if another process holds it.
    ///
    /// - Parameters:
    ///   - work: the kind of work.
    ///   - mirror: the mirror to work on.
    ///   - store: the mirror's store.
    ///   - folders: the folders of this machine.
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
