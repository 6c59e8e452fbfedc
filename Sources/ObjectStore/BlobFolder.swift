import Cryptography
import Essentials

/// A folder of files named by their digests; each file's modification time is that of its last use, so that
/// other processes know it too.
struct BlobFolder: Sendable {
    /// The absolute path, without a trailing slash.
    let path: String

    /// Seconds after which a file with another name was left by a killed process.
    private static let leftover: TimeInterval = 24 * 3_600

    func path(of blob: SHA256Digest) -> String { "\(path)/\(blob)" }

    func has(_ blob: SHA256Digest) -> Bool {
        FileManager.default.fileExists(atPath: path(of: blob))
    }

    func remove(_ blob: SHA256Digest) {
        try? FileManager.default.removeItem(atPath: path(of: blob))
    }

    /// Records a use; only the order of removal depends on it, so a failure does not matter.
    func noteUse(of blob: SHA256Digest, at date: Date) {
        try? FileManager.default.setAttributes(
            [.modificationDate: date],
            ofItemAtPath: path(of: blob),
        )
    }

    /// Removes the least recently used files until there is space for a new one.
    ///
    /// - Parameters:
    ///   - size: the size of the new file in bytes.
    ///   - limit: the total size of all files in bytes, including the new one.
    ///   - kept: files that are not removed.
    ///   - uses: the uses known to this process, which may be later than the modification times.
    ///   - now: the current time.
    func makeRoom(
        for size: Int,
        within limit: Int,
        keeping kept: Set<SHA256Digest>,
        _ uses: [SHA256Digest: FileUse],
        at now: Date,
    ) {
        let files = FileManager.default
        var total = size
        var there: [(blob: SHA256Digest, size: Int, last: Date)] = []
        for name in (try? files.contentsOfDirectory(atPath: path)) ?? [] {
            guard let facts = try? files.attributesOfItem(atPath: "\(path)/\(name)") else {
                continue
            }
            let changed = facts[.modificationDate] as? Date ?? .distantPast
            let bytes = Int(truncatingIfNeeded: facts[.size] as? UInt64 ?? 0)
            guard let blob = SHA256Digest(hex: name) else {
                if now.timeIntervalSince(changed) > Self.leftover {
                    try? files.removeItem(atPath: "\(path)/\(name)")
                }
                continue
            }
            total += bytes
            let last = max(changed, uses[blob]?.last ?? .distantPast)
            if !kept.contains(blob) { there.append((blob, bytes, last)) }
        }
        for file in there.sorted(by: { $0.last < $1.last }) where total > limit {
            remove(file.blob)
            total -= file.size
        }
    }
}
