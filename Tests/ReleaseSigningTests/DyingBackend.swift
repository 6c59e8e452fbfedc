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

/// The disk of a process that is killed before one of its changes: this change and all later ones are not
/// made.
final class DyingBackend: ForwardingBackend {
    let inner: any Backend
    private let left: Mutex<Int>

    /// - Parameters:
    ///   - inner: the back end.
    ///   - count: number of changes that are made before the end.
    init(_ inner: any Backend, after count: Int) {
        self.inner = inner
        left = Mutex(count)
    }

    /// How many more changes would have been made.
    var remaining: Int { left.withLock { $0 } }

    fileprivate func change(_ name: String) throws(StoreFailure) {
        let isAlive = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isAlive else { throw .system(SystemFailure("change", name, code: EIO)) }
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try change(name.path)
        return try inner.write(bytes, to: name, if: condition)
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        try change(name.path)
        return try inner.write(bytes, to: name, if: condition, adding: entry)
    }

    func delete(_ name: DocumentName, at version: DocumentVersion) throws(StoreFailure) {
        try change(name.path)
        try inner.delete(name, at: version)
    }

    func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        try change(journal.path)
        try inner.append(line, to: journal, unless: recorded)
    }

    func completeEntries() {
        if remaining > 0 { inner.completeEntries() }
    }

    func receive() throws(StoreFailure) -> any IncomingBlob {
        try change("a blob")
        return DyingBlob(try inner.receive(), of: self)
    }
}

/// An incoming blob on such a disk.
private final class DyingBlob: IncomingBlob {
    private let inner: any IncomingBlob
    private let backend: DyingBackend

    init(_ inner: any IncomingBlob, of backend: DyingBackend) {
        self.inner = inner
        self.backend = backend
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        try unsafe inner.append(bytes)
    }

    func append(
        contentsOf path: String,
        progress: (Int) -> Void,
    ) throws(StoreFailure) {
        try inner.append(contentsOf: path, progress: progress)
    }

    var count: Int { inner.count }

    func source() throws(StoreFailure) -> any ByteSource { try inner.source() }

    func commit(as digest: SHA256Digest) throws(StoreFailure) {
        try backend.change("a blob")
        try inner.commit(as: digest)
    }
}
