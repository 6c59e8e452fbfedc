import Bytes
import PropertyLists
import Zip

/// A property list of an app that is small enough to be read whole.
enum SmallPropertyList {
    /// Nil when there is no such file, or it is no property list.
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
