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

/// A store in a folder: documents as readable files, and blobs named by their digests.
///
/// Writers of this and other processes are serialised by one lock. Readers need none, because files are
/// replaced by an atomic rename.
package final class DirectoryBackend: Backend {
    /// The absolute path of the folder, without a trailing slash.
    package let root: String
    let lock: StoreLock
    /// Folders whose directory entries are known to be durable and need no further sync.
    private let lasting = Mutex<Set<String>>([])
    private let opened = Mutex(false)

    /// Uses an existing folder; a writer waits at most `patience` for another one.
    ///
    /// - Throws: ``StoreFailure/missing(path:)``.
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

    /// Uses a folder; creates it and its `incoming` folder if missing.
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

    /// The folder for temporary files; on the same file system as everything else.
    var incoming: String { LocalFolder(root: root).incoming }

    func path(of name: DocumentName) -> String { root + "/" + name.path }

    /// Creates a folder inside the store and makes its directory entry durable, once, even if another
    /// process created the folder.
    ///
    /// Never creates the store's folder itself: if that is gone, its file system is not mounted.
    func prepare(_ folder: String) throws(SystemFailure) {
        guard folder != root, !lasting.withLock({ $0.contains(folder) }) else { return }
        let parent = Folder.parent(of: folder)
        try prepare(parent)
        try Folder.makeOne(folder)
        try Folder.sync(parent)
        lasting.withLock { _ = $0.insert(folder) }
    }

    /// Makes the directory entry of the lock's file durable, once.
    func keepLockFile() throws(SystemFailure) {
        guard !lasting.withLock({ $0.contains(lock.path) }) else { return }
        try Folder.sync(root)
        lasting.withLock { _ = $0.insert(lock.path) }
    }

    package func obstacle() throws(StoreFailure) -> StoreFailure? {
        guard try !isBeingRestored() else { return .unfinishedRestore(path: root) }
        return try isUnused() ? nil : .notAStore(path: root)
    }

    /// Whether the folder has nothing but what an unfinished first start leaves.
    private func isUnused() throws(StoreFailure) -> Bool {
        let names = try systemCall { () throws(SystemFailure) in try Folder.names(in: root) }
        return Set(names).isSubset(of: ["store.lock", "server.lock", "incoming", "lost+found"])
    }

    /// Whether a restore into the folder is unfinished.
    private func isBeingRestored() throws(StoreFailure) -> Bool {
        let mark = root + "/" + StoreRestore.markName
        return try systemCall { () throws(SystemFailure) in try Folder.status(mark) != nil }
    }

    /// Leftovers are the files in ``incoming`` that no process has locked.
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
    /// Seconds since the last modification; never negative.
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
