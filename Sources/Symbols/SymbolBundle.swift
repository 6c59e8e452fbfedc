import Bytes
package import Releases
import Zip

/// A dSYM, with its parsed headers.
package struct SymbolBundle: Sendable {
    /// A name such as `Browsey.app.dSYM`, safe for display and as a file name.
    package let name: String
    package let images: [ReleaseSymbols.Image]
    /// The size of the file with the symbols in bytes.
    package let contentSize: Int
    /// Whether the source is a ZIP archive of only this bundle, in the form that ``write(to:)`` writes.
    package let isPacked: Bool
    let program: String
    let source: any SymbolSource
    let content: Int
    let information: Int?

    /// The paths of its files in an archive.
    private var paths: (content: String, information: String) {
        (
            "\(name)/Contents/Resources/DWARF/\(program)", "\(name)/Contents/Info.plist",
        )
    }

    init(
        name: String,
        program: String,
        images: [ReleaseSymbols.Image],
        in source: any SymbolSource,
        content: Int,
        information: Int?,
    ) {
        self.name = name
        self.program = program
        self.images = images
        self.source = source
        self.content = content
        self.information = information
        contentSize = source.files[content].size
        let wanted = [
            "\(name)/Contents/Resources/DWARF/\(program)",
            information.map { _ in "\(name)/Contents/Info.plist" },
        ].compactMap { $0.map { RelativePath($0) } }
        let zip = source as? ZippedSymbols
        isPacked = zip?.hasMore == false && Set(source.files.map(\.path)) == Set(wanted)
    }

    /// Writes it as a ZIP archive with the symbols and, if there is one, the Info.plist; the same dSYM
    /// gives the same bytes.
    ///
    /// - Parameter sink: receives the archive's bytes in order.
    /// - Throws: ``SymbolRefusal``, `ZipRefusal`, `SourceFailure`, and errors of `sink`.
    package func write(to sink: @escaping ([UInt8]) throws -> Void) throws {
        var zip = ZipWriter(sink: sink)
        if let information {
            try zip.add(paths.information, contents: try bytes(of: information))
        }
        let file = try source.open(content)
        var offset = 0
        try zip.add(paths.content) {
            guard offset < file.count else { return nil }
            let piece = try file.bytes(at: offset, count: min(1 << 20, file.count - offset))
            offset += piece.count
            return piece
        }
        try zip.finish()
    }

    /// Reads every byte once, which checks sizes and checksums.
    ///
    /// - Throws: `ZipRefusal`, `SourceFailure`.
    package func prove() throws {
        for index in [content, information].compactMap(\.self) {
            try unsafe source.read(index) { _ in }
        }
    }

    private func bytes(of index: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try unsafe source.read(index) { unsafe bytes.append(contentsOf: $0) }
        return bytes
    }
}
