import Bytes
import Essentials
import Zip

/// Packs an archive of Xcode to an IPA; the same app gives the same bytes.
///
/// The IPA contains only `Payload`: symbols and copies of Swift's libraries are for the App Store.
package struct Package: Sendable {
    private let archive: XcodeArchive
    private let limits: PackageLimits

    package init(of archive: XcodeArchive, limits: PackageLimits = PackageLimits()) {
        self.archive = archive
        self.limits = limits
    }

    /// Writes the IPA atomically.
    ///
    /// - Parameters:
    ///   - path: the file to write; an existing one is replaced.
    ///   - progress: called with the number of bytes packed so far, and the total.
    /// - Returns: the size of the IPA in bytes.
    /// - Throws: ``PackageRefusal``; then no file is left.
    package func write(
        to path: String,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    ) throws(PackageRefusal) -> Int {
        let place = "Payload/" + archive.bundleName
        let root = try archive.openApplication()
        let walk = try BundleWalk(root, as: place, limits: limits)
        let partial = path + ".partial"
        do {
            try pack(walk.entries, from: root, as: place, to: partial, progress: progress)
            let size = try checked(partial)
            guard unsafe rename(partial, path) == 0 else {
                throw PackageRefusal.unwritable(path, reason: Self.reason)
            }
            return size
        } catch {
            _ = unsafe unlink(partial)
            throw error as? PackageRefusal ?? .unwritable(path, reason: "\(error)")
        }
    }

    private func pack(
        _ entries: [BundleWalk.Entry],
        from root: OpenFolder,
        as place: String,
        to path: String,
        progress: (Int, Int) -> Void,
    ) throws {
        let file = try PartialFile(path)
        var zip = ZipWriter { try file.write($0) }
        let total = entries.reduce(0) { sum, entry in
            if case .file(let size, _) = entry.kind { sum + size } else { sum }
        }
        var done = 0
        try zip.addDirectory("Payload")
        for entry in entries {
            let name = entry.path.isEmpty ? place : place + "/" + entry.path
            switch entry.kind {
            case .folder: try zip.addDirectory(name)
            case .link(let target): try zip.addSymbolicLink(name, target: target)
            case .file(size: 0, let isExecutable):
                try zip.add(name, contents: [], mode: isExecutable ? 0o755 : 0o644)
            case .file(let size, let isExecutable):
                let source = try PackedFile(entry.path, in: root, size: size)
                try zip.add(
                    name,
                    mode: isExecutable ? 0o755 : 0o644,
                    isLarge: size >= UInt32.max,
                    streaming: {
                        let piece = try source.next()
                        done += piece?.count ?? 0
                        progress(done, total)
                        return piece
                    },
                )
            }
        }
        try zip.finish()
        try file.finish()
    }

    /// Reads the IPA as a server will, so that none is kept that it would refuse.
    private func checked(_ path: String) throws -> Int {
        let source = try FileSource(path: path)
        do throws(ZipRefusal) {
            _ = try ZipArchive(reading: source)
        } catch {
            throw PackageRefusal.unusable(error.detail, place: error.place)
        }
        return source.count
    }

    static var reason: String { unsafe String(cString: strerror(errno)).lowercased() }
}
