import Bytes
import Cryptography

/// A blob as a file of this machine.
package enum BlobFile {
    /// Writes the bytes of a blob to `path`, in a folder that is made where it is missing; nothing is there
    /// before all of them were compared with the digest.
    ///
    /// - Throws: ``StoreFailure/damagedBlob(_:path:)``, and what reading and writing throw.
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
                piece = try blob.source.bytes(at: offset, count: min(1 << 20, blob.size - offset))
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
