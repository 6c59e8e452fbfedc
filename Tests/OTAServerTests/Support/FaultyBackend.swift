import Bytes
import Cryptography
import Store
import StoreFixtures
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A storage back end whose disk fails on request.
final class FaultyBackend: ForwardingBackend {
    enum Call: Hashable {
        /// Writing a document.
        case write
        /// Syncing a document that was written and may not be durable.
        case settle
        /// Appending a line without a document.
        case append
        /// Syncing or removing an upload's bytes.
        case sync, remove
    }

    let inner: any Backend
    private let faults = Mutex<[Call: String]>([:])

    init(_ inner: any Backend) {
        self.inner = inner
    }

    /// Lets calls fail whose name contains `part`.
    func refuse(_ calls: Call..., of part: some StringProtocol) {
        faults.withLock { faults in
            for call in calls { faults[call] = String(part) }
        }
    }

    /// Lets all calls succeed again.
    func fix() {
        faults.withLock { $0 = [:] }
    }

    fileprivate func check(_ call: Call, _ name: String) throws(StoreFailure) {
        guard let part = faults.withLock({ $0[call] }), name.contains(part) else { return }
        throw .system(SystemFailure("\(call)", name, code: ENOSPC))
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try check(.write, name.path)
        let version = try inner.write(bytes, to: name, if: condition)
        try check(.settle, name.path)
        return version
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        try check(.write, name.path)
        let version = try inner.write(bytes, to: name, if: condition, adding: entry)
        try check(.settle, name.path)
        return version
    }

    func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        try check(.append, journal.path)
        try inner.append(line, to: journal, unless: recorded)
    }

    func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob {
        FaultyBytes(try inner.upload(name), of: self)
    }

    func removeUpload(_ name: String) throws(StoreFailure) {
        try check(.remove, name)
        try inner.removeUpload(name)
    }
}

/// The disk of a site, once that runs.
final class HeldDisk: Sendable {
    private let made = Mutex<FaultyBackend?>(nil)

    var disk: FaultyBackend? { made.withLock { $0 } }

    func wrap(_ inner: any Backend) -> any Backend {
        let disk = FaultyBackend(inner)
        made.withLock { $0 = disk }
        return disk
    }
}

/// An upload's bytes on a faulty disk.
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
