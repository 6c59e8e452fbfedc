#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Changes a document and its journal lines atomically, even if the process ends in between.
///
/// A writer holds the lock and writes the lines into the lock's file before it changes the document. If
/// they are still there, the next holder of the lock completes them before anything else changes: if the
/// document is unchanged, it drops the lines; if the document has its new version, it appends them.
extension DirectoryBackend {
    package func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        try write(bytes, to: name, if: condition, adding: .some(entry))
    }

    package func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry,
    ) throws(StoreFailure) {
        try delete(name, at: version, adding: .some(entry))
    }

    package func completeEntries() {
        guard let status = try? Folder.status(lock.path), status.st_size > 0 else { return }
        // If another process holds the lock, that process completes them.
        try? lock.ifFree { file throws(StoreFailure) in
            if let left = try pendingEntry(in: file) { try complete(left, in: file) }
        }
    }

    /// Runs `body` with the lock, after completing what an earlier holder left.
    ///
    /// If that fails, only writes that depend on it fail: those to the same document or to a journal.
    func writing<Result>(
        _ name: DocumentName,
        isEntry: Bool,
        _ body: (borrowing OpenFile) throws(StoreFailure) -> Result,
    ) throws(StoreFailure) -> Result {
        try lock.withFile { file throws(StoreFailure) in
            if let left = try pendingEntry(in: file) {
                do throws(StoreFailure) {
                    try complete(left, in: file)
                } catch {
                    guard !isEntry, !left.concerns(name) else { throw error }
                }
            }
            return try body(file)
        }
    }

    /// Makes a change together with the lines of `entry`, which are durable before the change starts.
    ///
    /// If they cannot be appended to the journal now, they stay in the lock's file and are appended later.
    func recording(
        _ entry: JournalEntry?,
        with name: DocumentName,
        at version: DocumentVersion?,
        in file: borrowing OpenFile,
        _ change: () throws(StoreFailure) -> Void,
    ) throws(StoreFailure) {
        guard let entry else { return try change() }
        let pending = PendingEntry(
            entry,
            with: name,
            at: version,
            behind: try end(of: entry.journal),
        )
        let bytes = try pending.bytes()
        try systemCall { () throws(SystemFailure) in
            try file.truncate(to: 0)
            do throws(SystemFailure) {
                try file.write(bytes, at: 0)
                try file.sync()
            } catch {
                try? file.truncate(to: 0)
                throw error
            }
            try keepLockFile()
        }
        try change()
        try? add(pending, in: file)
    }

    private func pendingEntry(
        in file: borrowing OpenFile
    ) throws(StoreFailure) -> PendingEntry? {
        do throws(SystemFailure) {
            let size = Int(try file.status().st_size)
            guard size > 0 else { return nil }
            let bytes = size <= Self.longestPending ? try file.bytes(at: 0, count: size) : []
            if let entry = PendingEntry(bytes) { return entry }
            // Torn: its change has not started.
            try file.truncate(to: 0)
            return nil
        } catch {
            throw .system(error)
        }
    }

    /// Appends the lines if the change was made, and drops them otherwise.
    private func complete(
        _ entry: PendingEntry,
        in file: borrowing OpenFile,
    ) throws(StoreFailure) {
        let name = try DocumentName(path: entry.document)
        if entry.isMade(by: try read(name)?.version) {
            try add(entry, in: file)
        } else {
            try systemCall { () throws(SystemFailure) in try file.truncate(to: 0) }
        }
    }

    /// Appends the lines that the journal does not have yet.
    private func add(
        _ entry: PendingEntry,
        in file: borrowing OpenFile,
    ) throws(StoreFailure) {
        let journal = try DocumentName(path: entry.journal)
        let there = try lines(of: journal, from: entry.offset, count: entry.lines.count).count
        let missing = entry.lines.dropFirst(there).map { Array($0.utf8) }
        if !missing.isEmpty {
            try systemCall { () throws(SystemFailure) in try add(missing, to: journal) }
        }
        try systemCall { () throws(SystemFailure) in try file.truncate(to: 0) }
    }

    /// In bytes; a thousand devices approved at once need less.
    private static var longestPending: Int { 16 << 20 }
}
