import Bytes
import Foundation
import Problems
import Symbols

/// Symbols that a user names: a `.dSYM`, a folder or a ZIP archive with some, an `.xcarchive`, or the DWARF
/// file itself.
enum SymbolInput {
    /// The dSYMs at paths, in their order, without duplicates.
    ///
    /// - Throws: `SymbolRefusal`, `ZipRefusal`, `SourceFailure`, and ``Problem`` if a path does not exist.
    static func bundles(at paths: [String]) throws -> [SymbolBundle] {
        var bundles: [SymbolBundle] = []
        for path in paths {
            let found = try SymbolSearch.bundles(in: source(at: path), of: path)
            for bundle in found where !bundles.contains(where: { $0.images == bundle.images }) {
                bundles.append(bundle)
            }
        }
        return bundles
    }

    private static func source(at path: String) throws -> any SymbolSource {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Problem(unreadable: path, because: "it does not exist")
        }
        let name = URL(filePath: path).lastPathComponent
        if isFolder.boolValue {
            let folder = try OpenFolder(path: path)
            guard name.lowercased().hasSuffix(".xcarchive") else {
                return try SymbolFolder(folder, named: name)
            }
            guard folder.status(of: "dSYMs")?.kind == .folder else {
                throw SymbolRefusal.none(path)
            }
            return try SymbolFolder(folder.folder(at: "dSYMs"), named: "dSYMs")
        }
        let file: FileSource
        do {
            file = try FileSource(path: path)
        } catch {
            throw Problem(unreadable: path, because: error.reason)
        }
        let begin = try file.bytes(at: 0, count: min(4, file.count))
        guard begin.starts(with: "PK".utf8) else { return SingleSymbolFile(file, named: name) }
        return try ZippedSymbols(reading: file)
    }
}
