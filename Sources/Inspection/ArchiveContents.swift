import Bytes
package import Zip

/// The number and sizes of the files in an archive, and the largest of them.
package struct ArchiveContents: Sendable {
    package struct File: Encodable, Equatable, Sendable {
        package let path: String
        /// Uncompressed size in bytes.
        package let size: Int
        /// Compressed size in bytes.
        package let compressedSize: Int
    }

    /// The number of files, without folders and symbolic links.
    package let count: Int
    /// Uncompressed size of all files in bytes.
    package let size: Int
    /// Compressed size of all files in bytes.
    package let compressedSize: Int
    /// At most ten files, by uncompressed size, the largest first.
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
