import Zip

/// A file of an archive that can be read repeatedly; each read checks its size and checksum.
struct ArchivedFile: ReplayableBytes {
    let entry: ZipEntry
    let archive: ZipArchive

    var count: Int { entry.size }

    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try unsafe archive.read(entry) { try unsafe body($0) }
    }
}
