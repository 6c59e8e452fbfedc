import Bytes
import Cryptography

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DirectoryBackend {
    /// The maximum size of a document in bytes.
    static var longestDocument: Int { 64 << 20 }

    package func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        let path = path(of: name)
        return try present(name) { () throws(StoreFailure) in try document(at: path) }
    }

    package func previous(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try document(at: path(of: name) + DocumentName.previousSuffix)
    }

    package func undone(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try document(at: path(of: name) + DocumentName.undoneSuffix)
    }

    package func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try write(bytes, to: name, if: condition, adding: nil)
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry?,
    ) throws(StoreFailure) -> DocumentVersion {
        let path = path(of: name)
        try requireStore()
        let file = try systemCall { () throws(SystemFailure) in
            try prepare(incoming)
            try prepare(Folder.parent(of: path))
            let file = try TemporaryFile(in: incoming)
            try file.write(bytes)
            try file.sync()
            return file
        }
        let version = DocumentVersion(of: bytes)
        try writing(name, isEntry: entry != nil) { locked throws(StoreFailure) in
            try check(name, condition)
            try recording(entry, with: name, at: version, in: locked) { () throws(StoreFailure) in
                do throws(SystemFailure) {
                    switch condition {
                    case .version: try keep(path, as: DocumentName.previousSuffix)
                    case .undone: try keep(path, as: DocumentName.undoneSuffix)
                    case .absent, .lost: break
                    }
                    try file.move(to: path) { () throws(SystemFailure) in
                        if condition == .absent, name.hasGenerations {
                            try Self.giveSecondName(path)
                        }
                    }
                    markChange(of: name)
                } catch {
                    throw .system(error)
                }
            }
        }
        return version
    }

    package func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
    ) throws(StoreFailure) {
        try delete(name, at: version, adding: nil)
    }

    func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry?,
    ) throws(StoreFailure) {
        let path = path(of: name)
        try writing(name, isEntry: entry != nil) { locked throws(StoreFailure) in
            try check(name, .version(version))
            try recording(entry, with: name, at: nil, in: locked) { () throws(StoreFailure) in
                try systemCall { () throws(SystemFailure) in
                    try Folder.remove(path + DocumentName.undoneSuffix)
                    // In this order: a document without an earlier generation may be absent.
                    try Folder.remove(path + DocumentName.previousSuffix)
                    try Folder.remove(path)
                    markChange(of: name)
                    try Folder.sync(Folder.parent(of: path))
                }
            }
        }
    }

    /// Updates the top folder's stamp; the caller holds the lock.
    ///
    /// If a writer ends before this call, readers keep their cached documents until they next check each
    /// one.
    private func markChange(of name: DocumentName) {
        guard name.components.count > 1, let top = name.components.first else { return }
        Folder.markChanged(root + "/" + top)
    }

    package func changeStamp(of top: String) throws(StoreFailure) -> ChangeStamp? {
        let status = try systemCall { () throws(SystemFailure) in
            try Folder.status(root + "/" + top)
        }
        guard let status else { return ChangeStamp(values: [], isSettled: true) }
        let stamp = status.stamp
        return status.isFolder || stamp.isSettled ? stamp : nil
    }

    package func confirm(_ name: DocumentName) throws(StoreFailure) {
        try systemCall { () throws(SystemFailure) in
            let folder = Folder.parent(of: path(of: name))
            try prepare(folder)
            try Folder.sync(folder)
        }
    }

    package func forgetPrevious(of name: DocumentName) throws(StoreFailure) {
        let path = path(of: name)
        try lock.withLock { () throws(StoreFailure) in
            try systemCall { () throws(SystemFailure) in
                try Folder.remove(path + DocumentName.undoneSuffix)
                try Folder.remove(path + DocumentName.previousSuffix)
                if name.hasGenerations, try Folder.status(path) != nil {
                    try Self.giveSecondName(path)
                }
                try Folder.sync(Folder.parent(of: path))
            }
        }
    }

    package func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        let names = try systemCall { () throws(SystemFailure) in
            try Folder.names(in: path(of: folder))
        }
        if names.isEmpty { try requireStore() }
        return names.filter(DocumentName.isAllowed)
    }

    package func stamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        let path = path(of: name)
        return try present(name) { () throws(StoreFailure) in
            try systemCall { () throws(SystemFailure) in try Folder.status(path) }?.stamp
        }
    }

    private func check(
        _ name: DocumentName,
        _ condition: WriteCondition,
    ) throws(StoreFailure) {
        if condition == .lost {
            guard try document(at: path(of: name)) == nil else { throw .conflict(name) }
            return
        }
        let found = try read(name)?.version
        switch condition {
        case .lost: break
        case .absent: guard found == nil else { throw .conflict(name) }
        case .version(let version), .undone(let version):
            guard found == version else { throw .conflict(name) }
        }
    }

    /// Hard-links the file that is about to be replaced; no bytes are copied.
    private func keep(_ path: String, as suffix: String) throws(SystemFailure) {
        let second = path + suffix
        try Folder.remove(second)
        // Without hard links there is no previous generation.
        if unsafe link(path, second) != 0, ![EPERM, EOPNOTSUPP, EMLINK].contains(errno) {
            throw .last("link", second)
        }
    }

    private func document(at path: String) throws(StoreFailure) -> StoredDocument? {
        let bytes: [UInt8]?
        do throws(SystemFailure) {
            let file = try OpenFile.open(path, O_RDONLY, action: "read")
            let status = try file.status()
            let isDocument = status.isFile && status.st_size <= Self.longestDocument
            bytes = isDocument ? try file.bytes(at: 0, count: Int(status.st_size)) : nil
        } catch {
            if error.cause == .missing { return nil }
            throw .system(error)
        }
        guard let bytes else {
            throw .unreadable(path: path, offset: nil, reason: "it is not a document")
        }
        return StoredDocument(bytes: bytes)
    }
}

extension stat {
    /// Settled once the file system's clock, which ticks every few milliseconds, has moved past the change.
    var stamp: ChangeStamp {
        ChangeStamp(
            values: [
                Int(truncatingIfNeeded: st_ino), Int(st_size),
                Int(modified.tv_sec), Int(modified.tv_nsec),
                Int(changed.tv_sec), Int(changed.tv_nsec),
            ],
            isSettled: time(nil) - changed.tv_sec > 1,
        )
    }
}
