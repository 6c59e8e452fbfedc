import Bytes
import Cryptography
import Essentials
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The store as a folder: documents that a person can read, and blobs under their digests.
///
/// Writers of this and other processes take turns by one lock; readers need none, because a name
/// changes its file in one step.
package final class DirectoryBackend: Backend {
    /// The folder, absolute and without a trailing slash.
    package let root: String
    let lock: StoreLock
    /// Folders whose own names are known to last, so that they are not synced again.
    private let lasting = Mutex<Set<String>>([])
    private let opened = Mutex(false)

    /// Uses a folder that exists; a writer waits for another one no longer than `patience`.
    package init(root: String, patience: Duration = .seconds(20)) throws(StoreFailure) {
        self.root = Self.absolute(root)
        lock = StoreLock(path: self.root + "/store.lock", patience: patience)
        guard
            try systemCall({ () throws(SystemFailure) in try Folder.status(self.root) })?.isFolder
                == true
        else {
            throw .missing(path: self.root)
        }
    }

    /// Uses a folder, and makes it where it is missing, with the one for what arrives.
    package convenience init(making root: String) throws(StoreFailure) {
        let root = Self.absolute(root)
        try systemCall { () throws(SystemFailure) in
            try Folder.make(LocalFolder(root: root).incoming)
        }
        try self.init(root: root)
    }

    package var location: String { root }

    package var localFolder: LocalFolder? { LocalFolder(root: root) }

    /// Whether the folder was a store when it was opened; see ``requireStore()``.
    var isStore: Bool { opened.withLock { $0 } }

    package func noteStore() { opened.withLock { $0 = true } }

    /// Where bytes wait under temporary names; on the same disk as everything else.
    var incoming: String { LocalFolder(root: root).incoming }

    func path(of name: DocumentName) -> String { root + "/" + name.path }

    /// Makes a folder inside the store, and syncs its name to the disk once, even if another
    /// process made the folder.
    ///
    /// Never the store itself: where that is gone, its disk is not mounted.
    func prepare(_ folder: String) throws(SystemFailure) {
        guard folder != root, !lasting.withLock({ $0.contains(folder) }) else { return }
        let parent = Folder.parent(of: folder)
        try prepare(parent)
        try Folder.makeOne(folder)
        try Folder.sync(parent)
        lasting.withLock { _ = $0.insert(folder) }
    }

    /// Makes the name of the lock's file last, once.
    func keepLockFile() throws(SystemFailure) {
        guard !lasting.withLock({ $0.contains(lock.path) }) else { return }
        try Folder.sync(root)
        lasting.withLock { _ = $0.insert(lock.path) }
    }

    package func obstacle() throws(StoreFailure) -> StoreFailure? {
        guard try !isBeingRestored() else { return .unfinishedRestore(path: root) }
        return try isUnused() ? nil : .notAStore(path: root)
    }

    /// Whether nothing but what an unfinished start leaves is in the folder.
    private func isUnused() throws(StoreFailure) -> Bool {
        let names = try systemCall { () throws(SystemFailure) in try Folder.names(in: root) }
        return Set(names).isSubset(of: ["store.lock", "server.lock", "incoming", "lost+found"])
    }

    /// Whether a restore into the folder has not ended.
    private func isBeingRestored() throws(StoreFailure) -> Bool {
        let mark = root + "/" + StoreRestore.markName
        return try systemCall { () throws(SystemFailure) in try Folder.status(mark) != nil }
    }

    /// Leftovers are the files in ``incoming`` that no process holds the lock of.
    @discardableResult
    package func sweep() throws(StoreFailure) -> Int {
        try systemCall { () throws(SystemFailure) in
            var count = 0
            if isStore { try Folder.remove(root + "/" + StoreRestore.markName) }
            for name in try Folder.names(in: incoming) where name.hasSuffix(TemporaryFile.suffix) {
                if try TemporaryFile.removeLeftover(incoming + "/" + name) { count += 1 }
            }
            return count
        }
    }

    private static func absolute(_ path: String) -> String {
        var path =
            path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}

extension stat {
    /// Seconds since the bytes last changed; never negative.
    var age: Int { max(0, time(nil) - modified.tv_sec) }

    var modified: timespec {
        #if canImport(Darwin)
        st_mtimespec
        #else
        st_mtim
        #endif
    }

    var changed: timespec {
        #if canImport(Darwin)
        st_ctimespec
        #else
        st_ctim
        #endif
    }
}
