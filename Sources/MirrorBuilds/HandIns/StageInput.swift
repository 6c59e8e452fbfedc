import Bytes
import Essentials
import Mirrors
import Packaging
import Zip

/// The files that a runner receives in addition to its commit, as one ZIP archive: files of earlier
/// stretches that match the artifact patterns, and submodules.
struct StageInput {
    private let checkout: OpenFolder
    /// The paths that are in the archive already.
    private var known: Set<RelativePath> = []

    init(of checkout: OpenFolder) {
        self.checkout = checkout
    }

    /// Writes the archive.
    ///
    /// - Parameters:
    ///   - patterns: the patterns of files to include.
    ///   - folders: folders to include as a whole, by their paths in the checkout.
    ///   - path: the absolute path of the archive; an existing one is replaced.
    /// - Returns: the number of files in the archive; with none, no archive is written.
    /// - Throws: ``ZippedFiles/TooManyFiles``, `PackageRefusal`, `SourceFailure`, `ZipWriterFailure`.
    mutating func write(
        matching patterns: [String],
        and folders: [String],
        to path: String,
    ) throws -> Int {
        _ = unsafe unlink(path)
        var paths: [String] = []
        for pattern in patterns {
            for found in ArtifactSearch(pattern, in: checkout).found() {
                paths += found.isFolder ? try all(in: found.path) : [found.path]
            }
        }
        for folder in folders { paths += try all(in: folder) }
        guard !paths.isEmpty else { return 0 }
        let file = try PartialFile(new: path)
        var zip = ZipWriter { try file.write($0) }
        let files = ZippedFiles(of: checkout)
        for path in paths where known.insert(RelativePath(path)).inserted {
            try files.add(path, as: path, to: &zip)
        }
        try zip.finish()
        try file.flush()
        return known.count
    }

    /// A folder and everything in it except `.git`.
    private func all(in folder: String) throws -> [String] {
        try [folder]
            + ZippedFiles(of: checkout)
            .paths(in: folder, leavingOut: ArtifactSearch.isOfRepository)
            .map { "\(folder)/\($0)" }
    }
}
