import Cryptography
import Store
import Synchronization

/// A back end that notes which folders are listed and which documents are read.
final class CountingBackend: Backend {
    private let inner: any Backend
    private let seen = Mutex<(listed: [String], read: [String])>(([], []))
    /// Is told a folder that has been listed, before whoever asked has the answer.
    private let listing: @Sendable (String) -> Void

    init(_ inner: any Backend, listing: @Sendable @escaping (String) -> Void = { _ in }) {
        self.inner = inner
        self.listing = listing
    }

    var listed: [String] { seen.withLock { $0.listed } }
    var read: [String] { seen.withLock { $0.read } }

    func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        seen.withLock { $0.read.append(name.path) }
        return try inner.read(name)
    }

    func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        seen.withLock { $0.listed.append(folder.path) }
        defer { listing(folder.path) }
        return try inner.names(in: folder)
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try inner.write(bytes, to: name, if: condition)
    }

    func delete(_ name: DocumentName, at version: DocumentVersion) throws(StoreFailure) {
        try inner.delete(name, at: version)
    }

    func stamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        try inner.stamp(of: name)
    }

    func confirm(_ name: DocumentName) throws(StoreFailure) { try inner.confirm(name) }

    func previous(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try inner.previous(of: name)
    }

    func forgetPrevious(of name: DocumentName) throws(StoreFailure) {
        try inner.forgetPrevious(of: name)
    }

    func append(_ line: [UInt8], to journal: DocumentName) throws(StoreFailure) {
        try inner.append(line, to: journal)
    }

    func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]] {
        try inner.lines(of: journal)
    }

    func lines(
        of journal: DocumentName,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        try inner.lines(of: journal, from: offset, count: count)
    }

    func end(of journal: DocumentName) throws(StoreFailure) -> Int { try inner.end(of: journal) }

    func startOfLine(in journal: DocumentName, near offset: Int) throws(StoreFailure) -> Int {
        try inner.startOfLine(in: journal, near: offset)
    }

    func overwrite(
        _ old: [UInt8],
        with new: [UInt8],
        in journal: DocumentName,
    ) throws(StoreFailure) {
        try inner.overwrite(old, with: new, in: journal)
    }

    func receive() throws(StoreFailure) -> any IncomingBlob { try inner.receive() }

    func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob {
        try inner.upload(name)
    }

    func uploadSize(_ name: String) throws(StoreFailure) -> Int? { try inner.uploadSize(name) }

    func removeUpload(_ name: String) throws(StoreFailure) { try inner.removeUpload(name) }

    func uploads() throws(StoreFailure) -> [String] { try inner.uploads() }

    func freeSpace() throws(StoreFailure) -> Int? { try inner.freeSpace() }

    func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob { try inner.open(blob) }

    func facts(of blob: SHA256Digest) throws(StoreFailure) -> BlobFacts? {
        try inner.facts(of: blob)
    }

    func blobs() throws(StoreFailure) -> [SHA256Digest] { try inner.blobs() }

    func delete(
        _ blob: SHA256Digest,
        unlessPutWithin seconds: Int,
    ) throws(StoreFailure) -> Bool {
        try inner.delete(blob, unlessPutWithin: seconds)
    }
}
