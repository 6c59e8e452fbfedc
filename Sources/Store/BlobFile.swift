import Bytes
package import Cryptography

/// Reads and writes blobs as files of this machine.
package enum BlobFile {
    /// Bytes per read; for a remote store, each read is a request.
    private static let piece = 8 << 20

    /// Whether a file's bytes match the digest; false also for a file that cannot be read.
    package static func isWhole(_ path: String, _ digest: SHA256Digest) -> Bool {
        guard let source = try? FileSource(path: path) else { return false }
        let hasher = SHA256Hasher()
        var offset = 0
        while offset < source.count {
            let count = min(piece, source.count - offset)
            guard let bytes = try? source.bytes(at: offset, count: count) else { return false }
            hasher.update(bytes)
            offset += count
        }
        return hasher.finish() == digest
    }

    /// Writes the bytes of a blob to `path`, and creates its folder if missing.
    ///
    /// The file appears only after all its bytes match the digest.
    ///
    /// - Throws: ``StoreFailure/damagedBlob(_:path:)``, and the errors of reading and writing.
    package static func write(_ blob: StoredBlob, to path: String) throws(StoreFailure) {
        let hasher = SHA256Hasher()
        let file = try systemCall { () throws(SystemFailure) in
            try Folder.make(Folder.parent(of: path))
            return try TemporaryFile(in: Folder.parent(of: path))
        }
        var offset = 0
        while offset < blob.size {
            let piece: [UInt8]
            do throws(SourceFailure) {
                piece = try blob.source.bytes(
                    at: offset,
                    count: min(Self.piece, blob.size - offset),
                )
            } catch {
                let place = blob.path ?? blob.digest.description
                throw .unreadable(path: place, offset: error.offset, reason: error.reason)
            }
            hasher.update(piece)
            offset += piece.count
            do throws(SystemFailure) {
                try file.write(piece)
            } catch {
                throw .system(error)
            }
        }
        guard hasher.finish() == blob.digest else {
            throw .damagedBlob(blob.digest, path: blob.path ?? blob.digest.description)
        }
        try systemCall { () throws(SystemFailure) in try file.move(to: path) }
    }
}
