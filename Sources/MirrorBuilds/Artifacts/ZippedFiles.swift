import Bytes
import Zip

/// Adds the files of a folder that a build wrote to a ZIP archive, without following symbolic links.
struct ZippedFiles {
    private let folder: OpenFolder

    static let countLimit = 100_000
    private static let depthLimit = 100

    init(of folder: OpenFolder) {
        self.folder = folder
    }

    /// The folder has more than ``countLimit`` files, or is nested too deeply.
    struct TooManyFiles: Error {}

    /// Returns every path in a folder, each folder before its contents, without following symbolic links.
    ///
    /// - Parameters:
    ///   - top: the folder; empty for the whole.
    ///   - isLeftOut: whether a name is left out, with its contents.
    /// - Returns: paths relative to the whole folder.
    /// - Throws: ``TooManyFiles``, `SourceFailure`.
    func paths(
        in top: String = "",
        leavingOut isLeftOut: (String) -> Bool = { _ in false },
    ) throws -> [String] {
        var paths: [String] = []
        var folders = [""]
        let top = try top.isEmpty ? folder : folder.folder(at: top)
        while let place = folders.popLast() {
            let there = try place.isEmpty ? top : top.folder(at: place)
            let depth = place.utf8.count { $0 == UInt8(ascii: "/") }
            for bytes in try there.names(atMost: Self.countLimit + 1) {
                let name = String(decoding: bytes, as: UTF8.self)
                guard !isLeftOut(name) else { continue }
                let path = place.isEmpty ? name : "\(place)/\(name)"
                paths.append(path)
                guard paths.count <= Self.countLimit, depth < Self.depthLimit else {
                    throw TooManyFiles()
                }
                if there.status(of: name)?.kind == .folder { folders.append(path) }
            }
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Adds the file at a path; leaves out devices and pipes.
    func add(_ path: String, as name: String, to zip: inout ZipWriter) throws {
        guard let status = folder.status(of: path) else { return }
        let mode = status.mode
        switch status.kind {
        case .folder: try zip.addDirectory(name, mode: mode)
        case .link:
            let target = try folder.target(of: path)
            try zip.addSymbolicLink(name, target: String(decoding: target, as: UTF8.self))
        case .file:
            let source = try folder.file(at: path)
            var offset = 0
            try zip.add(name, mode: mode, isLarge: source.count >= 1 << 32 - 1) {
                guard offset < source.count else { return nil }
                let piece = try source.bytes(
                    at: offset,
                    count: min(1 << 20, source.count - offset),
                )
                offset += piece.count
                return piece
            }
        case .special: return
        }
    }
}
