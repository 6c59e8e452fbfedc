#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A document that is missing where there was one is damage, and never an empty beginning.
///
/// Every document has an earlier generation beside it, or a second name of its only one, for as long
/// as it is meant to be there. A deletion takes the earlier generation away first.
extension DirectoryBackend {
    /// What the document is, or nil where there never was one or it was deleted.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` and ``StoreFailure/gone(path:)``.
    func present<Found>(
        _ name: DocumentName,
        _ find: () throws(StoreFailure) -> Found?,
    ) throws(StoreFailure) -> Found? {
        // A writer may make the document between the two looks; it is there at the next one.
        for _ in 0..<3 {
            if let found = try find() { return found }
            guard try hasEarlierGeneration(name) else {
                try requireStore()
                return nil
            }
        }
        throw .lost(name)
    }

    /// Refuses to work in a folder that was a store when it was opened and is none any more: its disk
    /// is not mounted, and everything in it would seem to be deleted.
    func requireStore() throws(StoreFailure) {
        guard isStore else { return }
        let settings = path(of: .settings)
        let isThere = try systemCall { () throws(SystemFailure) in
            try Folder.status(settings) != nil
        }
        guard isThere else { throw .gone(path: root) }
    }

    /// Whether a document that is not there is missing.
    func hasEarlierGeneration(_ name: DocumentName) throws(StoreFailure) -> Bool {
        let path = path(of: name) + DocumentName.previousSuffix
        return try systemCall { () throws(SystemFailure) in try Folder.status(path) != nil }
    }

    /// The earlier generation of a document that has none is a second name of it.
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
                // A deletion takes the earlier generation first, so what has none by now is deleted.
                if try Folder.status(path(of: name)) == nil,
                    try Folder.status(path(of: name) + suffix) != nil
                {
                    lost.append(name)
                }
            }
            return lost
        }
    }

    /// Names the only generation of a document a second time; no bytes are copied.
    static func giveSecondName(_ path: String) throws(SystemFailure) {
        let second = path + DocumentName.previousSuffix
        // A file system without hard links keeps no second name.
        if unsafe link(path, second) != 0, ![EEXIST, EPERM, EOPNOTSUPP, EMLINK].contains(errno) {
            throw .last("link", second)
        }
    }
}
