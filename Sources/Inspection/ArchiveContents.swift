import Bytes
package import Zip

/// What takes the room in an archive.
package struct ArchiveContents: Sendable {
    package struct File: Encodable, Equatable, Sendable {
        package let path: String
        /// Bytes once it is unpacked.
        package let size: Int
        /// Bytes in the archive.
        package let compressedSize: Int
    }

    /// How many files there are; folders and links are none.
    package let count: Int
    /// Bytes of all files once they are unpacked.
    package let size: Int
    /// Bytes of all files in the archive.
    package let compressedSize: Int
    /// The largest files once unpacked, the largest first; ten at most.
    package let biggest: [File]

    private static let most = 10

    package init(of archive: ZipArchive) {
        var count = 0
        var size = 0
        var compressedSize = 0
        var biggest: [File] = []
        for entry in archive.entries where entry.kind == .file {
            count += 1
            size += entry.size
            compressedSize += entry.compressedSize
            if biggest.count == Self.most, let last = biggest.last, last.size >= entry.size {
                continue
            }
            let place = biggest.firstIndex { $0.size < entry.size } ?? biggest.endIndex
            biggest.insert(File(entry), at: place)
            biggest = Array(biggest.prefix(Self.most))
        }
        self.count = count
        self.size = size
        self.compressedSize = compressedSize
        self.biggest = biggest
    }
}

extension ArchiveContents.File {
    fileprivate init(_ entry: ZipEntry) {
        self.init(path: entry.path.text, size: entry.size, compressedSize: entry.compressedSize)
    }
}
