import Bytes
import PropertyLists
import Zip

/// Reads the files that determine what to check, within a common budget.
struct SmallFiles {
    /// Maximum size of one file in bytes: an Info.plist, or a seal of a hundred thousand files.
    private static let greatestSize = 16 << 20

    private let archive: ZipArchive
    /// The remaining number of bytes that may be read.
    private var budget = 48 << 20
    /// The remaining number of pattern nodes that may be kept.
    private var allowance = SealRuleSet.greatestTotalSize

    init(_ archive: ZipArchive) {
        self.archive = archive
    }

    /// Nil when the file is missing or cannot be read.
    mutating func bytes(of path: RelativePath) -> [UInt8]? {
        guard let entry = archive[path], entry.kind == .file else { return nil }
        return try? contents(of: entry)
    }

    /// The digests and the contents of a bundle's seal; nil when the bundle has none.
    mutating func seal(
        of bundle: RelativePath
    ) -> (file: SpecialFile?, contents: Result<SealedResources, MalformedSeal>)? {
        guard let entry = archive[bundle / "_CodeSignature/CodeResources"], entry.kind == .file
        else { return nil }
        do throws(MalformedSeal) {
            let bytes = try contents(of: entry)
            let seal = Result { () throws(MalformedSeal) in
                try SealedResources(reading: bytes, allowance: &allowance)
            }
            return (SpecialFile(bytes), seal)
        } catch {
            return (nil, .failure(error))
        }
    }

    private mutating func contents(of entry: ZipEntry) throws(MalformedSeal) -> [UInt8] {
        guard entry.size <= min(Self.greatestSize, budget) else { throw .tooLarge(entry.size) }
        budget -= entry.size
        do throws(ZipRefusal) {
            return try archive.contents(of: entry, atMost: entry.size)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}
