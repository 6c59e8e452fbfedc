import Bundles
import Bytes
import Zip

/// The changes to the entries of an archive, and the positions of new entries.
struct BundleChanges {
    private(set) var changes: [RelativePath: SigningPlan.Change] = [:]
    /// New files and folders, by the index of the entry before which they are inserted.
    private(set) var additions: [Int: [SigningPlan.Addition]] = [:]

    /// Adds every profile, removes what codesign removes beside a seal, and reserves the positions of new
    /// seals, whose contents are set later.
    init(
        for items: [CodeItem],
        _ grants: [RelativePath: BundleGrant],
        in archive: ZipArchive,
        _ files: inout SealedFiles,
    ) {
        let places = EntryPlaces(archive)
        for item in items where item.isBundle {
            let model = archive[item.path / "Info.plist"] ?? item.program
            if let grant = grants[item.path] {
                let path = item.path / "embedded.mobileprovision"
                changes[path] = .contents(grant.profile.bytes)
                files.note(grant.profile.bytes, at: path)
                if archive[path] == nil {
                    add(.file(path, like: model), before: places.index(of: model))
                }
            }
            let folder = item.path / "_CodeSignature"
            let seal = folder / "CodeResources"
            guard archive[seal] == nil else { continue }
            let first = places.first(below: item.path)
            if let existing = archive[folder] {
                add(.file(seal, like: model), before: places.index(of: existing) + 1)
            } else {
                if places.hasFolders {
                    add(.folder(folder, like: archive[item.path]), before: first)
                }
                add(.file(seal, like: model), before: first)
            }
        }
        remove(besideSealsOf: items, in: archive, &files)
    }

    mutating func note(_ change: SigningPlan.Change, at path: RelativePath) {
        changes[path] = change
    }

    private mutating func add(_ addition: SigningPlan.Addition, before index: Int) {
        additions[index, default: []].append(addition)
    }

    /// codesign purges the `_CodeSignature` folder of regular files that it did not write, such as the
    /// parts of a signature of a bundle without an executable (`BundleDiskRep::purgeMetaDirectory`).
    private mutating func remove(
        besideSealsOf items: [CodeItem],
        in archive: ZipArchive,
        _ files: inout SealedFiles,
    ) {
        let folders = Set(items.filter(\.isBundle).map { $0.path / "_CodeSignature" })
        for entry in archive.entries where entry.kind == .file && entry.name != "CodeResources" {
            guard let parent = entry.path.parent, folders.contains(parent) else { continue }
            changes[entry.path] = .removal
            files.remove(entry.path)
        }
    }
}

/// The positions of the entries in an archive.
private struct EntryPlaces {
    private let indices: [RelativePath: Int]
    private let firsts: [RelativePath: Int]
    /// Whether folders have entries of their own, as nearly all archivers write them.
    let hasFolders: Bool
    private let count: Int

    init(_ archive: ZipArchive) {
        var indices: [RelativePath: Int] = [:]
        var firsts: [RelativePath: Int] = [:]
        for (index, entry) in archive.entries.enumerated() {
            indices[entry.path] = index
            for folder in entry.path.folders where firsts[folder] == nil { firsts[folder] = index }
        }
        self.indices = indices
        self.firsts = firsts
        hasFolders = archive.entries.contains { $0.kind == .directory }
        count = archive.entries.count
    }

    func index(of entry: ZipEntry) -> Int { indices[entry.path] ?? count }

    /// The index of the first entry below a folder; the number of entries if there is none.
    func first(below folder: RelativePath) -> Int { firsts[folder] ?? count }
}
