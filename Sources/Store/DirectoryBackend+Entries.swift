#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A change of a document and its lines in a journal: both, wherever the process ends.
///
/// Whoever changes something has the lock, and writes the lines into its file before the document. Left
/// there, they are completed by the next holder of the lock, before anything else changes: the document
/// is then still as it was, and the lines are dropped, or as it was to become.
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
        // Who has the lock at this moment completes them.
        try? lock.ifFree { file throws(StoreFailure) in
            if let left = try pendingEntry(in: file) { try complete(left, in: file) }
        }
    }

    /// Runs `body` with the lock, and with what an earlier holder left completed.
    ///
    /// What cannot be completed keeps only those from working whom it concerns: changes of the same
    /// document, and of a journal.
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

    /// Makes a change with the lines of `entry`, which last before the change begins.
    ///
    /// Lines that the journal does not take now are in the file of the lock, and come to it later.
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
            // Torn: its change has not begun.
            try file.truncate(to: 0)
            return nil
        } catch {
            throw .system(error)
        }
    }

    /// Adds the lines where the change has been made, and drops them where it has not.
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

    /// Adds the lines that are not in the journal yet.
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

    /// Bytes; a thousand devices that are approved at once have fewer.
    private static var longestPending: Int { 16 << 20 }
}
