package import Bytes
import Essentials
import Zip

/// Files that may contain symbols: a ZIP archive, a folder, or a single file.
package protocol SymbolSource: Sendable {
    /// All regular files.
    var files: [SymbolPlace] { get }

    /// Reads the file at an index in windows, to its end or until `body` throws.
    func read(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws

    /// Opens the file at an index for random access; one in an archive is unpacked to a temporary file
    /// without a name.
    func open(_ index: Int) throws -> any ByteSource
}

/// A file that may contain symbols.
package struct SymbolPlace: Sendable {
    package let path: RelativePath
    /// The size in bytes.
    package let size: Int
}

/// An untrusted ZIP archive.
package struct ZippedSymbols: SymbolSource {
    package let files: [SymbolPlace]
    private let archive: ZipArchive
    private let entries: [ZipEntry]
    /// Whether it contains folders or links in addition to the files.
    let hasMore: Bool

    private static let limits = ZipLimits(
        entries: SymbolLimits.names,
        symbolicLinks: 0,
        entrySize: SymbolLimits.fileBytes,
        totalSize: 2 * SymbolLimits.fileBytes,
    )

    /// Opens the archive; links in it are never followed.
    ///
    /// - Throws: ``SymbolRefusal/none(_:)`` for a file that is not an archive, and `ZipRefusal`.
    package init(reading source: any ByteSource) throws {
        archive = try Self.archive(source)
        entries = archive.entries.filter { $0.kind == .file }
        hasMore = entries.count < archive.entries.count
        files = entries.map { SymbolPlace(path: $0.path, size: $0.size) }
    }

    private static func archive(_ source: any ByteSource) throws -> ZipArchive {
        do throws(ZipRefusal) {
            return try ZipArchive(withAnyLinks: source, limits: limits)
        } catch {
            guard error.rule == .notAnArchive else { throw error }
            throw SymbolRefusal.none("")
        }
    }

    package func read(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try unsafe archive.read(entries[index], window: 64 << 10, body)
    }

    package func open(_ index: Int) throws -> any ByteSource {
        let file = try NamelessFile()
        try unsafe archive.read(entries[index]) { try unsafe file.append($0) }
        return try file.source()
    }
}

/// A folder of this machine; links in it are not followed.
package struct SymbolFolder: SymbolSource {
    package let files: [SymbolPlace]
    private let folder: OpenFolder

    /// Lists the files below a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - name: the folder's name, with which every path begins.
    /// - Throws: ``SymbolRefusal`` and `SourceFailure`.
    package init(_ folder: OpenFolder, named name: String) throws {
        self.folder = folder
        var walk = Walk(folder: folder)
        try walk.visit("", depth: 0)
        let top = RelativePath(name)
        files = walk.found.map { SymbolPlace(path: top / $0.path, size: $0.size) }
        drop = top.bytes.count + 1
    }

    /// The length of the name at the beginning of each path in bytes.
    private let drop: Int

    package func read(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let source = try open(index)
        var offset = 0
        while offset < source.count {
            let piece = try source.bytes(at: offset, count: min(64 << 10, source.count - offset))
            try unsafe piece.withUnsafeBytes { try unsafe body($0) }
            offset += piece.count
        }
    }

    package func open(_ index: Int) throws -> any ByteSource {
        let path = RelativePath(files[index].path.bytes.dropFirst(drop))
        return try folder.file(at: path.text)
    }

    private struct Walk {
        let folder: OpenFolder
        var found: [SymbolPlace] = []
        var count = 0

        mutating func visit(_ path: String, depth: Int) throws {
            guard depth <= SymbolLimits.depth else { throw SymbolRefusal.tooMany(limit: depth) }
            let here = try path.isEmpty ? folder : folder.folder(at: path)
            for bytes in try here.names(atMost: SymbolLimits.names + 1) {
                count += 1
                guard count <= SymbolLimits.names else {
                    throw SymbolRefusal.tooMany(limit: SymbolLimits.names)
                }
                // Xcode creates no names that are not UTF-8.
                guard let name = String(validating: bytes, as: UTF8.self) else { continue }
                let place = path.isEmpty ? name : path + "/" + name
                switch here.status(of: name)?.kind {
                case .folder: try visit(place, depth: depth + 1)
                case .file(let size): found.append(.init(path: RelativePath(place), size: size))
                default: continue
                }
            }
        }
    }
}

/// A single symbol file, outside any bundle.
package struct SingleSymbolFile: SymbolSource {
    package let files: [SymbolPlace]
    private let source: any ByteSource

    /// - Parameters:
    ///   - source: the file.
    ///   - name: the file's name.
    package init(_ source: any ByteSource, named name: String) {
        self.source = source
        let path = RelativePath("\(name).dSYM/Contents/Resources/DWARF/\(name)")
        files = [SymbolPlace(path: path, size: source.count)]
    }

    package func read(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var offset = 0
        while offset < source.count {
            let piece = try source.bytes(at: offset, count: min(64 << 10, source.count - offset))
            try unsafe piece.withUnsafeBytes { try unsafe body($0) }
            offset += piece.count
        }
    }

    package func open(_ index: Int) throws -> any ByteSource { source }
}
