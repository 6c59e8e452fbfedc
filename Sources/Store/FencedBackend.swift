import Cryptography

/// A backend that changes nothing once a lease is lost, because another server then does the work.
final class FencedBackend: ForwardingBackend {
    let inner: any Backend
    private let lease: any WorkLease

    init(_ inner: any Backend, under lease: any WorkLease) {
        self.inner = inner
        self.lease = lease
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try lease.require()
        return try inner.write(bytes, to: name, if: condition)
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        try lease.require()
        return try inner.write(bytes, to: name, if: condition, adding: entry)
    }

    func delete(_ name: DocumentName, at version: DocumentVersion) throws(StoreFailure) {
        try lease.require()
        try inner.delete(name, at: version)
    }

    func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry,
    ) throws(StoreFailure) {
        try lease.require()
        try inner.delete(name, at: version, adding: entry)
    }

    func forgetPrevious(of name: DocumentName) throws(StoreFailure) {
        try lease.require()
        try inner.forgetPrevious(of: name)
    }

    func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        try lease.require()
        try inner.append(line, to: journal, unless: recorded)
    }

    func delete(
        _ blob: SHA256Digest,
        unlessPutWithin seconds: Int,
    ) throws(StoreFailure) -> Bool {
        try lease.require()
        return try inner.delete(blob, unlessPutWithin: seconds)
    }

    // MARK: What a back end elsewhere does in its own way

    func assumed(_ name: DocumentName) -> StoredDocument? { inner.assumed(name) }

    func prepareChanges(of names: [DocumentName], adding: [DocumentName]) {
        inner.prepareChanges(of: names, adding: adding)
    }

    func isThere(_ blob: SHA256Digest) throws(StoreFailure) -> Bool { try inner.isThere(blob) }

    func knownStamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        try inner.knownStamp(of: name)
    }

    func knownNames(in folder: DocumentName) throws(StoreFailure) -> [String] {
        try inner.knownNames(in: folder)
    }

    func knownDocument(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try inner.knownDocument(name)
    }

    func bytes(of blob: SHA256Digest, atMost limit: Int) throws(StoreFailure) -> [UInt8]? {
        try inner.bytes(of: blob, atMost: limit)
    }

    func completeEntry(of name: DocumentName) throws(StoreFailure) {
        try inner.completeEntry(of: name)
    }

    func changeBell(_ ring: @escaping @Sendable () -> Void) -> (any Sendable)? {
        inner.changeBell(ring)
    }
}

extension OTAStore {
    /// The same store for work done under a lease: every change throws ``StoreFailure/leaseLost`` once
    /// another server may have the work.
    package func fenced(by lease: any WorkLease) -> OTAStore {
        OTAStore(backend: FencedBackend(backend, under: lease), interval: cache.interval)
    }
}
