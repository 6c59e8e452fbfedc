import Bytes
import Cryptography
import Essentials
import Store
import Synchronization

/// Blobs as files of this machine, fetched once however many readers wait, and bounded in total.
///
/// A file is there under its digest only once all its bytes were compared with it. Those that were used
/// longest ago are removed first; a reader that has one open keeps it.
final class BlobFiles: Sendable {
    private let folder: String
    private let locks = AppendLocks()
    /// When each file was last given out; the lowest numbers first.
    private let uses = Mutex<(next: Int, last: [String: Int])>((0, [:]))

    /// - Parameter spool: a folder that exists.
    init(in spool: String) {
        folder = spool + "/cache"
    }

    /// The path of a blob's file.
    ///
    /// - Parameters:
    ///   - blob: what is wanted.
    ///   - limit: bytes of all files; of one that is larger than that there is only itself.
    ///   - open: opens the blob where it has to be fetched.
    /// - Returns: an absolute path, which is good for opening at once.
    /// - Throws: ``StoreFailure``.
    func path(
        of blob: SHA256Digest,
        within limit: Int,
        _ open: () throws(StoreFailure) -> StoredBlob,
    ) throws(StoreFailure) -> String {
        let name = blob.description
        let path = folder + "/" + name
        try locks.lock(of: DocumentName(name)).withLock { () throws(StoreFailure) in
            if !FileManager.default.fileExists(atPath: path) {
                let stored = try open()
                try makeRoom(for: stored.size, within: limit, keeping: name)
                try BlobFile.write(stored, to: path)
            }
            uses.withLock { uses in
                uses.next += 1
                uses.last[name] = uses.next
            }
        }
        return path
    }

    private func makeRoom(
        for size: Int,
        within limit: Int,
        keeping kept: String,
    ) throws(StoreFailure) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        let last = uses.withLock { $0.last }
        var total = size
        var there: [(name: String, size: Int)] = []
        for name in names where name != kept {
            let facts = try? files.attributesOfItem(atPath: folder + "/" + name)
            let size = Int(truncatingIfNeeded: facts?[.size] as? UInt64 ?? 0)
            there.append((name, size))
            total += size
        }
        for file in there.sorted(by: { last[$0.name] ?? 0 < last[$1.name] ?? 0 })
        where total > limit {
            try? files.removeItem(atPath: folder + "/" + file.name)
            total -= file.size
        }
    }
}
