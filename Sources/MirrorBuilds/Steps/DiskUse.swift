import Essentials

/// The disk space of a folder and everything in it, without following symbolic links.
struct DiskUse: Sendable {
    private(set) var bytes = 0

    /// The number of bytes that a build must leave free on a disk.
    private static let reserve = 256 << 20
    private static let depthLimit = 200

    /// Counts until the sum reaches `enough` bytes.
    init(of folder: String, enough: Int) {
        visit(folder, enough: enough, depth: 0)
    }

    private mutating func visit(_ folder: String, enough: Int, depth: Int) {
        guard depth < Self.depthLimit,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else { return }
        for name in names where bytes <= enough {
            var status = stat()
            let path = "\(folder)/\(name)"
            guard unsafe lstat(path, &status) == 0 else { continue }
            bytes += Int(status.st_blocks) * 512
            if status.st_mode & S_IFMT == S_IFDIR {
                visit(path, enough: enough, depth: depth + 1)
            }
        }
    }

    /// Whether the disk of a folder has more free space than must stay free; true if that is unknown.
    static func hasSpace(_ folder: String) -> Bool {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return true }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) > UInt64(reserve)
    }
}
