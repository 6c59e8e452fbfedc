import Bytes
import Mirrors
import Runners
import Zip

/// The untrusted ZIP archive that a runner uploads; only files that the pipeline names are unpacked into
/// the checkout.
struct HandIn {
    private let archive: ZipArchive
    private let patterns: [ArtifactPattern]

    /// The number of bytes between two checks of the disk space and of whether the build was cancelled.
    private static let grain = 32 << 20
    /// Bytes that are added for each file, on top of its size.
    private static let entryWeight = 4096
    private static let longestTarget = 1024

    /// How much was unpacked, and what was left out.
    struct Outcome: Equatable {
        var files = 0
        var bytes = 0
        /// The number of files that no pattern matches.
        var strangers = 0
        /// The number of files below `.git`.
        var repositoryFiles = 0
        /// The paths of symbolic links that lead out of the checkout.
        var links: [RelativePath] = []
    }

    /// - Parameters:
    ///   - path: the absolute path of the archive.
    ///   - patterns: the patterns of the files to unpack.
    ///   - limits: the limits of the stage.
    /// - Throws: `ZipRefusal`, `SourceFailure`.
    init(
        at path: String,
        matching patterns: [String],
        within limits: RunnerStage.Limits,
    ) throws {
        let bounds = ZipLimits(
            entrySize: limits.fileBytes,
            totalSize: limits.diskBytes,
            // Symbols and logs shrink to a hundredth or less. The mirror's disk limit bounds the unpacked
            // size, which the steps could fill as well, so the only ratio enforced here is the maximum of
            // the format. An IPA among the files is checked as an IPA later.
            ratio: ZipLimits.deflateRatio,
        )
        archive = try ZipArchive(withAnyLinks: FileSource(path: path), limits: bounds)
        self.patterns = patterns.map(ArtifactPattern.init)
    }

    /// Unpacks the files that match, and replaces existing ones.
    ///
    /// Nothing is written through a symbolic link, whether it is in the archive or in the checkout: a link
    /// in the place of a folder is an error, and one in the place of a file is replaced.
    ///
    /// - Parameters:
    ///   - checkout: the folder to unpack into.
    ///   - check: called from time to time; throws to stop.
    /// - Returns: how much was unpacked, and what was left out.
    /// - Throws: ``HandInFailure``, `ZipRefusal` if the contents differ from the archive's directory, and
    ///   what `check` throws.
    func unpack(into checkout: OpenFolder, checking check: () throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        var unchecked = 0
        func tell(_ count: Int) throws {
            unchecked += count
            guard unchecked >= Self.grain else { return }
            unchecked = 0
            try check()
        }
        // In the order of the archive, whose names have been checked to be unambiguous. Links come last, so
        // that none exists while files are being written.
        let wanted = archive.entries.filter { entry in
            let count = entry.kind == .directory ? 0 : 1
            guard Self.isPlain(entry.path) else {
                outcome.repositoryFiles += count
                return false
            }
            let isWanted = patterns.contains { $0.covers(entry.path) }
            if !isWanted { outcome.strangers += count }
            return isWanted
        }
        try check()
        for entry in wanted where entry.kind != .symbolicLink {
            do {
                try write(entry, into: checkout, tell)
            } catch let failure as SourceFailure {
                throw HandInFailure.unwritable(entry.path, failure.reason)
            }
            try tell(Self.entryWeight)
            outcome.files += entry.kind == .file ? 1 : 0
            outcome.bytes += entry.size
        }
        for entry in wanted where entry.kind == .symbolicLink {
            guard let target = try target(of: entry) else {
                outcome.links.append(entry.path)
                continue
            }
            do {
                if let parent = entry.path.parent { _ = try checkout.makeFolder(at: parent.text) }
                try checkout.makeLink(at: entry.path.text, to: target)
            } catch {
                throw HandInFailure.unwritable(entry.path, error.reason)
            }
            try tell(Self.entryWeight)
            outcome.files += 1
        }
        return outcome
    }

    private func write(
        _ entry: ZipEntry,
        into checkout: OpenFolder,
        _ tell: (Int) throws -> Void,
    ) throws {
        guard entry.kind == .file else {
            let folder = try checkout.makeFolder(at: entry.path.text)
            if let mode = entry.unixMode { try folder.setMode(mode & 0o777 | 0o700) }
            return
        }
        if let parent = entry.path.parent { _ = try checkout.makeFolder(at: parent.text) }
        let mode = (entry.unixMode ?? 0o644) & 0o777 | 0o600
        let file = try checkout.makeFile(at: entry.path.text, mode: mode)
        try unsafe archive.read(entry) { bytes in
            try unsafe file.write(bytes)
            try tell(bytes.count)
        }
        try file.finish()
    }

    /// The target of a link; nil if it is outside the checkout.
    private func target(of entry: ZipEntry) throws -> [UInt8]? {
        guard entry.size <= Self.longestTarget else { return nil }
        let target = try archive.contents(of: entry, atMost: Self.longestTarget)
        let path = RelativePath(String(decoding: target, as: UTF8.self))
        return Self.isPlain(path)
            && ZipArchive.escape(of: entry.path, to: target, within: 0) == nil ? target : nil
    }

    /// Files of a `.git` folder are not unpacked, because a repository's settings can name programs to run.
    private static func isPlain(_ path: RelativePath) -> Bool {
        !path.components.contains { ArtifactSearch.isOfRepository($0.text) }
    }
}

/// Why the files of a runner cannot be unpacked into the checkout.
enum HandInFailure: Error, CustomStringConvertible {
    case unwritable(RelativePath, String)
    case noSpace

    var description: String {
        switch self {
        case .unwritable(let path, let reason): "\(quoted: path) cannot be written: \(reason)"
        case .noSpace: "they would fill the server's disk"
        }
    }
}
