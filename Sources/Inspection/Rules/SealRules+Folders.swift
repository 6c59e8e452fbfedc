import Bundles
import Bytes
import CodeSignature
import Zip

/// Folders that are missing, were added or were renamed as a whole, which is one cause for any number of
/// files.
struct SealedFolders {
    /// The number of files in each folder of the app that has any, at whatever depth; empty where no
    /// bundle has damages to put together.
    private let fileCounts: [RelativePath: Int]

    init(_ input: InspectionInput) {
        var counts: [RelativePath: Int] = [:]
        guard input.code.contains(where: { $0.damages.count > 1 }) else {
            fileCounts = counts
            return
        }
        for entry in input.archive.entries
        where entry.kind != .directory && entry.path.isBelow(input.application.path) {
            for folder in entry.path.folders { counts[folder, default: 0] += 1 }
        }
        fileCounts = counts
    }

    /// The complaints about whole folders below a bundle, and the remaining damages.
    func complaints(
        about damages: [SealDamage],
        below bundle: RelativePath,
    ) -> (whole: [Complaint], single: [SealDamage]) {
        guard damages.count > 1 else { return ([], damages) }
        let missing = damages.filter { $0.kind == .missing }.map(\.path)
        let added = damages.filter { $0.kind == .added }.map(\.path)
        let gone = grouped(missing, below: bundle) { folder, _ in fileCounts[folder] == nil }
        let come = grouped(added, below: bundle) { folder, count in fileCounts[folder] == count }
        let reported = Set((gone + come).flatMap(\.files))
        var arrived = come
        var complaints: [Complaint] = []
        for folder in gone {
            guard let index = arrived.firstIndex(where: folder.isRenamed) else {
                complaints.append(
                    Self.complaint(.sealMissing, "was sealed, but is missing", folder)
                )
                continue
            }
            let other = arrived.remove(at: index)
            complaints.append(
                Complaint(
                    .sealMissing,
                    "\(quoted: folder.name) was renamed to \(quoted: other.name) after the bundle "
                        + "was signed",
                    at: other.path,
                )
            )
        }
        complaints += arrived.map {
            Self.complaint(.sealAdded, "was added after the bundle was signed", $0)
        }
        return (complaints, damages.filter { !reported.contains($0.path) })
    }

    /// The outermost folders that are damaged as a whole and have two files or more.
    private func grouped(
        _ files: [RelativePath],
        below bundle: RelativePath,
        isWhole: (_ folder: RelativePath, _ count: Int) -> Bool,
    ) -> [SealedFolder] {
        var counts: [RelativePath: Int] = [:]
        for file in files {
            for folder in file.folders { counts[folder, default: 0] += 1 }
        }
        var order: [RelativePath] = []
        var members: [RelativePath: [RelativePath]] = [:]
        for file in files {
            let whole = file.folders.first { folder in
                folder.isBelow(bundle) && !Self.isContainer(folder, of: bundle)
                    && (counts[folder] ?? 0) > 1 && isWhole(folder, counts[folder] ?? 0)
            }
            guard let whole else { continue }
            if members[whole] == nil { order.append(whole) }
            members[whole, default: []].append(file)
        }
        return order.map { SealedFolder(path: $0, files: members[$0] ?? []) }
    }

    /// Whether the folder only contains nested bundles, which are reported by their own names.
    private static func isContainer(_ folder: RelativePath, of bundle: RelativePath) -> Bool {
        ["PlugIns", "Extensions", "Frameworks", "Watch", "AppClips"].contains {
            folder == bundle / $0
        }
    }

    private static func complaint(
        _ rule: Rule,
        _ what: String,
        _ folder: SealedFolder,
    ) -> Complaint {
        Complaint(
            rule,
            "\(quoted: folder.name) with its \(folder.files.count.grouped) files \(what)",
            at: folder.path,
        )
    }
}

/// A folder that is damaged as a whole.
private struct SealedFolder {
    let path: RelativePath
    let files: [RelativePath]

    var name: RelativePath { path.name }

    /// Whether `other` is in the same folder and has the same files under another name.
    func isRenamed(to other: SealedFolder) -> Bool {
        path.parent == other.path.parent
            && Set(files.map { $0.relative(to: path) })
                == Set(other.files.map { $0.relative(to: other.path) })
    }
}
