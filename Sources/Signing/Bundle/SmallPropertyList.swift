import Bytes
import PropertyLists
import Zip

/// Reads property lists that are small enough to be read into memory.
enum SmallPropertyList {
    /// Nil when the file is missing or is not a property list.
    static func read(_ path: RelativePath, in archive: ZipArchive) -> PropertyList? {
        guard let entry = archive[path], entry.kind == .file,
            let bytes = try? archive.contents(
                of: entry,
                atMost: PropertyList.Limits.infoPlist.bytes,
            )
        else { return nil }
        return try? PropertyList(reading: bytes)
    }
}
