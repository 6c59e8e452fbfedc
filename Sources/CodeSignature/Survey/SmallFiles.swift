import Bytes
import PropertyLists
import Zip

/// Reads the files that say what to look for, within one budget.
struct SmallFiles {
    /// Bytes of one file: an Info.plist, or a seal of a hundred thousand files.
    private static let greatestSize = 16 << 20

    private let archive: ZipArchive
    /// Bytes of all that may still be read.
    private var budget = 48 << 20
    /// Parts of all patterns that may still be kept.
    private var allowance = SealRuleSet.greatestTotalSize

    init(_ archive: ZipArchive) {
        self.archive = archive
    }

    /// Nil when there is no such file, or it cannot be read.
    mutating func bytes(of path: RelativePath) -> [UInt8]? {
        guard let entry = archive[path], entry.kind == .file else { return nil }
        return try? contents(of: entry)
    }

    /// The digests of a bundle's seal, and what it says; nil when the bundle has none.
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
