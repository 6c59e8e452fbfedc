import Cryptography
import Essentials

/// A folder of files that are named by their digests; the time of each is that of its last use, so that
/// another process knows it too.
struct BlobFolder: Sendable {
    /// Absolute, without a slash at its end.
    let path: String

    /// Seconds after which a file under another name is what a process left that was killed.
    private static let leftover: TimeInterval = 24 * 3_600

    func path(of blob: SHA256Digest) -> String { "\(path)/\(blob)" }

    func has(_ blob: SHA256Digest) -> Bool {
        FileManager.default.fileExists(atPath: path(of: blob))
    }

    func remove(_ blob: SHA256Digest) {
        try? FileManager.default.removeItem(atPath: path(of: blob))
    }

    /// Only determines the order in which files are removed, so a failure does not matter.
    func noteUse(of blob: SHA256Digest, at date: Date) {
        try? FileManager.default.setAttributes(
            [.modificationDate: date],
            ofItemAtPath: path(of: blob),
        )
    }

    /// Removes files, those used longest ago first, until there is room for one more.
    ///
    /// - Parameters:
    ///   - size: bytes of the file that is to come.
    ///   - limit: bytes of all files with it.
    ///   - kept: files that stay all the same.
    ///   - uses: later than what the folder says, where they are.
    ///   - now: what time it is.
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
