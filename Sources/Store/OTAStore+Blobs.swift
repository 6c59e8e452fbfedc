import Bytes
package import Cryptography

extension OTAStore {
    /// Opens a blob for reading by ranges.
    ///
    /// - Throws: ``StoreFailure/damagedBlob(_:path:)`` for one that is known not to have the bytes that
    ///   were put.
    package func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob {
        let stored = try backend.open(blob)
        guard try isProven(blob) != false else {
            throw .damagedBlob(blob, path: stored.path ?? blob.description)
        }
        return stored
    }

    /// The path of a file of this machine with a blob's bytes, for a server that sends it by descriptor and
    /// for other programs; good for opening at once.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)`` and ``StoreFailure/damagedBlob(_:path:)``.
    package func file(of blob: SHA256Digest) throws(StoreFailure) -> String {
        try backend.file(of: blob)
    }

    /// The bytes of a small blob, such as an icon or a report, checked against their digest; one of
    /// more than `limit` bytes is an error.
    package func bytes(
        of blob: SHA256Digest,
        atMost limit: Int = 16 << 20,
    ) throws(StoreFailure) -> [UInt8] {
        let stored = try backend.open(blob)
        let path = stored.path ?? blob.description
        guard stored.size <= limit else { throw .damagedBlob(blob, path: path) }
        do {
            let bytes = try stored.source.bytes(at: 0, count: stored.size)
            guard SHA256Digest(of: bytes) == blob else {
                throw StoreFailure.damagedBlob(blob, path: path)
            }
            return bytes
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            throw .unreadable(path: path, offset: nil, reason: "\(error)")
        }
    }

    /// Keeps small bytes, once.
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
        return digest
    }
}
