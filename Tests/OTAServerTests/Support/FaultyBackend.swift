import Bytes
import Cryptography
import Store
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A back end whose disk refuses what it was told to refuse.
final class FaultyBackend: Backend {
    enum Call: Hashable {
        /// Of a document.
        case write
        /// Of an upload's bytes.
        case sync, remove
    }

    private let inner: any Backend
    private let faults = Mutex<[Call: String]>([:])

    init(_ inner: any Backend) {
        self.inner = inner
    }

    /// Refuses calls from now on: those with `part` in their name.
    func refuse(_ calls: Call..., of part: some StringProtocol) {
        faults.withLock { faults in
            for call in calls { faults[call] = String(part) }
        }
    }

    /// Refuses nothing any more.
    func mend() {
        faults.withLock { $0 = [:] }
    }

    fileprivate func check(_ call: Call, _ name: String) throws(StoreFailure) {
        guard let part = faults.withLock({ $0[call] }), name.contains(part) else { return }
        throw .system(SystemFailure("\(call)", name, code: ENOSPC))
    }

    func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try inner.read(name)
    }

    func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        try inner.names(in: folder)
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try check(.write, name.path)
        return try inner.write(bytes, to: name, if: condition)
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
        FaultyBytes(try inner.upload(name), of: self)
    }

    func uploadSize(_ name: String) throws(StoreFailure) -> Int? { try inner.uploadSize(name) }

    func removeUpload(_ name: String) throws(StoreFailure) {
        try check(.remove, name)
        try inner.removeUpload(name)
    }

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

/// An upload's bytes on such a disk.
private final class FaultyBytes: ResumableBlob {
    private let inner: any ResumableBlob
    private let backend: FaultyBackend

    init(_ inner: any ResumableBlob, of backend: FaultyBackend) {
        self.inner = inner
        self.backend = backend
    }

    var count: Int { inner.count }

    func expect(_ size: Int) { inner.expect(size) }

    func truncate(to count: Int) throws(StoreFailure) { try inner.truncate(to: count) }

    func sync() throws(StoreFailure) {
        try backend.check(.sync, "upload")
        try inner.sync()
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        try unsafe inner.append(bytes)
    }

    func append(contentsOf path: String, progress: (Int) -> Void) throws(StoreFailure) {
        try inner.append(contentsOf: path, progress: progress)
    }

    func source() throws(StoreFailure) -> any ByteSource { try inner.source() }

    func commit(as digest: SHA256Digest) throws(StoreFailure) { try inner.commit(as: digest) }
}
