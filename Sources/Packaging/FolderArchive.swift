package import Bytes
import Essentials
import Zip

/// An app's folder in the form of the archive that it would be packed to, without writing one.
package struct FolderArchive: Sendable {
    /// The source for `ZipArchive`; contents are read from the files in the folder.
    package let source: any ByteSource

    /// Creates an archive of the app in an Xcode archive.
    ///
    /// - Throws: ``PackageRefusal`` for the first entry that an IPA cannot or must not contain.
    package init(
        of archive: XcodeArchive,
        limits: PackageLimits = PackageLimits(),
    ) throws(PackageRefusal) {
        try self.init(try archive.openApplication(), named: archive.bundleName, limits: limits)
    }

    /// Creates an archive of an app's folder, whose name becomes part of it.
    ///
    /// - Throws: ``PackageRefusal``, as ``init(of:limits:)``.
    package init(
        application path: String,
        limits: PackageLimits = PackageLimits(),
    ) throws(PackageRefusal) {
        let folder: OpenFolder
        do throws(SourceFailure) {
            folder = try OpenFolder(path: path)
        } catch {
            throw .unreadable(path, reason: error.reason)
        }
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? "" }
        try self.init(folder, named: name ?? "App.app", limits: limits)
    }

    /// Creates an archive of an app's folder that is already open.
    ///
    /// - Throws: ``PackageRefusal``, as ``init(of:limits:)``.
    package init(
        of application: OpenFolder,
        named name: String,
        limits: PackageLimits = PackageLimits(),
    ) throws(PackageRefusal) {
        try self.init(application, named: name, limits: limits)
    }

    /// Writes the archive atomically.
    ///
    /// - Parameter path: the file to write; an existing one is replaced.
    /// - Returns: its size in bytes.
    /// - Throws: ``PackageRefusal``; then no file is left.
    package func write(to path: String) throws(PackageRefusal) -> Int {
        let partial = path + ".partial"
        do {
            let file = try PartialFile(partial)
            var offset = 0
            while offset < source.count {
                let piece = try source.bytes(
                    at: offset,
                    count: min(1 << 20, source.count - offset),
                )
                try file.write(piece)
                offset += piece.count
            }
            try file.finish()
            guard unsafe rename(partial, path) == 0 else {
                throw PackageRefusal.unwritable(path, reason: Package.reason)
            }
            return source.count
        } catch {
            _ = unsafe unlink(partial)
            throw error as? PackageRefusal ?? .unwritable(path, reason: "\(error)")
        }
    }

    private init(
        _ root: OpenFolder,
        named name: String,
        limits: PackageLimits,
    ) throws(PackageRefusal) {
        let place = "Payload/" + name
        let walk = try BundleWalk(root, as: place, limits: limits)
        var parts: [AssembledArchive.Part] = [.folder("Payload", mode: 0o755)]
        for entry in walk.entries {
            let path = entry.path.isEmpty ? place : place + "/" + entry.path
            switch entry.kind {
            case .folder: parts.append(.folder(path, mode: 0o755))
            case .link(let target): parts.append(.link(path, target: target))
            case .file(let size, let isExecutable):
                let file = UnopenedFile(name: entry.path, folder: root, count: size)
                parts.append(
                    .file(
                        path,
                        mode: isExecutable ? 0o755 : 0o644,
                        crc32: try file.checksum(),
                        contents: file,
                    )
                )
            }
        }
        source = AssembledArchive(parts)
    }
}

/// A file of the app that is opened for each read, because an app has more files than a process may open.
private struct UnopenedFile: ByteSource {
    let name: String
    let folder: OpenFolder
    let count: Int

    func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SourceFailure) -> Int {
        let file = try folder.file(at: name)
        guard file.count == count else {
            throw SourceFailure(offset: offset, reason: "\(name) changed in the meantime")
        }
        return try unsafe file.read(at: offset, into: buffer)
    }

    func checksum() throws(PackageRefusal) -> UInt32 {
        let source = try PackedFile(name, in: folder, size: count)
        var checksum: UInt32 = 0
        while let piece = try source.next() {
            checksum = unsafe piece.withUnsafeBytes { unsafe crc32(checksum, over: $0) }
        }
        return checksum
    }
}
