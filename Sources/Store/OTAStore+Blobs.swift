import Bytes
package import Cryptography
import Synchronization

extension OTAStore {
    /// Opens a blob for reading by ranges.
    ///
    /// - Throws: ``StoreFailure/damagedBlob(_:path:)`` for a blob whose bytes are known not to match its
    ///   digest.
    package func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob {
        let stored = try backend.open(blob)
        guard try isProven(blob) != false else {
            throw .damagedBlob(blob, path: stored.path ?? blob.description)
        }
        return stored
    }

    /// The path of a local file with a blob's bytes, for another program.
    ///
    /// Blocks while a remote blob is copied; the copy is kept for 15 minutes.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)`` and ``StoreFailure/damagedBlob(_:path:)``.
    package func file(of blob: SHA256Digest) throws(StoreFailure) -> String {
        try backend.file(of: blob)
    }

    /// The path of a blob relative to the store.
    package func path(of blob: SHA256Digest) -> String { StoreBackup.path(of: blob) }

    /// See ``Blobs/address(of:lasting:)``.
    package func address(
        of blob: SHA256Digest,
        lasting seconds: Int,
    ) throws(StoreFailure) -> String? {
        try backend.address(of: blob, lasting: seconds)
    }

    /// Whether each question about a blob is a request to another machine.
    package var isElsewhere: Bool { backend.isElsewhere }

    /// The path of a local file with a blob's bytes, to be opened at once.
    ///
    /// A remote blob is copied first, once for all concurrent callers and without blocking a thread.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)`` and ``StoreFailure/damagedBlob(_:path:)``.
    package func servedFile(of blob: SHA256Digest) async throws(StoreFailure) -> String {
        if let path = try backend.fileAtHand(of: blob) { return path }
        let result = await withCheckedContinuation { continuation in
            backend.fetchFile(of: blob) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Starts making the copy that ``servedFile(of:)`` will return.
    package func prepareFile(of blob: SHA256Digest) {
        guard isElsewhere else { return }
        backend.fetchFile(of: blob) { _ in }
    }

    /// The bytes of a small blob, such as an icon or a report, checked against their digest.
    ///
    /// - Throws: ``StoreFailure/damagedBlob(_:path:)`` also for a blob of more than `limit` bytes.
    package func bytes(
        of blob: SHA256Digest,
        atMost limit: Int = 16 << 20,
    ) throws(StoreFailure) -> [UInt8] {
        if let known = smallBlobs.withLock({ $0.value(blob) }), known.count <= limit {
            return known
        }
        if let bytes = try backend.bytes(of: blob, atMost: limit) {
            guard SHA256Digest(of: bytes) == blob else {
                throw .damagedBlob(blob, path: blob.description)
            }
            smallBlobs.withLock { $0.keep(bytes, for: blob, cost: bytes.count) }
            return bytes
        }
        let stored = try backend.open(blob)
        let path = stored.path ?? blob.description
        guard stored.size <= limit else { throw .damagedBlob(blob, path: path) }
        do {
            let bytes = try stored.source.bytes(at: 0, count: stored.size)
            guard SHA256Digest(of: bytes) == blob else {
                throw StoreFailure.damagedBlob(blob, path: path)
            }
            if isElsewhere {
                smallBlobs.withLock { $0.keep(bytes, for: blob, cost: bytes.count) }
            }
            return bytes
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            throw .unreadable(path: path, offset: nil, reason: "\(error)")
        }
    }

    /// Stores a small blob.
    @discardableResult
    package func put(_ bytes: [UInt8]) throws(StoreFailure) -> SHA256Digest {
        let digest = SHA256Digest(of: bytes)
        let incoming = try backend.receive()
        var failure: StoreFailure?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(StoreFailure) {
                try unsafe incoming.append(buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try incoming.commit(as: digest)
        // Pages show it next.
        if isElsewhere { smallBlobs.withLock { $0.keep(bytes, for: digest, cost: bytes.count) } }
        return digest
    }
}
