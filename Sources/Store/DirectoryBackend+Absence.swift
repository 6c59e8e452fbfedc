#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A document that is missing although it once existed is damage, not an empty start.
///
/// Every document has an earlier generation beside it, or a second hard link to its only one, as long as it
/// should exist. A deletion removes the earlier generation first.
extension DirectoryBackend {
    /// The result of `find`; nil if the document never existed or was deleted.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` and ``StoreFailure/gone(path:)``.
    func present<Found>(
        _ name: DocumentName,
        _ find: () throws(StoreFailure) -> Found?,
    ) throws(StoreFailure) -> Found? {
        // A writer may create the document between the two checks; the next attempt then finds it.
        for _ in 0..<3 {
            if let found = try find() { return found }
            guard try hasEarlierGeneration(name) else {
                try requireStore()
                return nil
            }
        }
        throw .lost(name)
    }

    /// Throws if the folder was a store when it was opened and no longer is: its file system is not
    /// mounted, and everything in it would seem to be deleted.
    ///
    /// - Throws: ``StoreFailure/gone(path:)``.
    func requireStore() throws(StoreFailure) {
        guard isStore else { return }
        let settings = path(of: .settings)
        let isThere = try systemCall { () throws(SystemFailure) in
            try Folder.status(settings) != nil
        }
        guard isThere else { throw .gone(path: root) }
    }

    /// Whether a document that does not exist should exist.
    func hasEarlierGeneration(_ name: DocumentName) throws(StoreFailure) -> Bool {
        let path = path(of: name) + DocumentName.previousSuffix
        return try systemCall { () throws(SystemFailure) in try Folder.status(path) != nil }
    }

    /// Gives every document without an earlier generation a second hard link in its place.
    package func keepEarlierGenerations() throws(StoreFailure) {
        try lock.withLock { () throws(StoreFailure) in
            try systemCall { () throws(SystemFailure) in
                var folders: Set<String> = []
                for name in try documents(in: []) where name.hasGenerations {
                    let path = path(of: name)
                    let second = path + DocumentName.previousSuffix
                    guard try Folder.status(second) == nil else { continue }
                    try Self.giveSecondName(path)
                    folders.insert(Folder.parent(of: path))
                }
                for folder in folders.sorted() { try Folder.sync(folder) }
            }
        }
    }

    package func lostDocuments() throws(StoreFailure) -> [DocumentName] {
        try systemCall { () throws(SystemFailure) in
            let suffix = DocumentName.previousSuffix
            var lost: [DocumentName] = []
            try visitFiles(in: []) { components throws(SystemFailure) in
                guard let last = components.last, last.hasSuffix(suffix) else { return }
                let own = components.dropLast() + [String(last.dropLast(suffix.count))]
                guard let name = try? DocumentName(components: Array(own)) else { return }
                // A deletion removes the earlier generation first; if that is gone by now, the document was
                // deleted.
                if try Folder.status(path(of: name)) == nil,
                    try Folder.status(path(of: name) + suffix) != nil
                {
                    lost.append(name)
                }
            }
            return lost
        }
    }

    /// Hard-links the only generation of a document as its earlier one; no bytes are copied.
    static func giveSecondName(_ path: String) throws(SystemFailure) {
        let second = path + DocumentName.previousSuffix
        // Without hard links there is no second name.
        if unsafe link(path, second) != 0, ![EEXIST, EPERM, EOPNOTSUPP, EMLINK].contains(errno) {
            throw .last("link", second)
        }
    }
}
