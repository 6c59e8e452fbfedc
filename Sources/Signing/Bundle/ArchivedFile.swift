import Zip

/// A file of an archive that is read as often as needed, with size and checksum proven each time.
struct ArchivedFile: ReplayableBytes {
    let entry: ZipEntry
    let archive: ZipArchive

    var count: Int { entry.size }

    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try unsafe archive.read(entry) { try unsafe body($0) }
    }
}
