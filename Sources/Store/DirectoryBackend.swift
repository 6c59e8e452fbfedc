import Bytes
import Cryptography
import Foundation
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

    /// Whether the folder was a store when it was opened; see ``requireStore()``.
    var isStore: Bool { opened.withLock { $0 } }

    /// Notes that the folder is a store.
    func noteStore() { opened.withLock { $0 = true } }

    /// Where bytes wait under temporary names; on the same disk as everything else.
    var incoming: String { root + "/incoming" }

    func path(of name: DocumentName) -> String { root + "/" + name.path }

    /// Makes a folder inside the store, and makes sure once that its name lasts, whoever made it.
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

    /// Whether nothing but what an unfinished start leaves is in the folder.
    func isUnused() throws(StoreFailure) -> Bool {
        let names = try systemCall { () throws(SystemFailure) in try Folder.names(in: root) }
        return Set(names).isSubset(of: ["store.lock", "server.lock", "incoming", "lost+found"])
    }

    /// Whether a restore into the folder has not ended.
    func isBeingRestored() throws(StoreFailure) -> Bool {
        let mark = root + "/" + StoreRestore.markName
        return try systemCall { () throws(SystemFailure) in try Folder.status(mark) != nil }
    }

    /// Removes what writers that crashed or were interrupted left in ``incoming``: files that nobody
    /// holds the lock of.
    ///
    /// - Returns: how many were removed.
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
