import Bytes
import MachOFormat
import Releases

/// Finds dSYMs among files.
package enum SymbolSearch {
    /// Finds the dSYMs in a source.
    ///
    /// Files outside the `Contents/Resources/DWARF` of a bundle are ignored.
    ///
    /// - Parameters:
    ///   - source: the files.
    ///   - place: the name of the source, for the error when there is none.
    /// - Returns: the dSYMs, sorted by name.
    /// - Throws: ``SymbolRefusal`` when there is none, or one is invalid; `ZipRefusal`, `SourceFailure`.
    package static func bundles(
        in source: any SymbolSource,
        of place: String,
    ) throws -> [SymbolBundle] {
        var information: [RelativePath: Int] = [:]
        for (index, file) in source.files.enumerated()
        where file.path.hasSuffix("/Contents/Info.plist")
            && file.size <= SymbolLimits.informationBytes
        {
            information[file.path] = index
        }
        var found: [SymbolBundle] = []
        for (index, file) in source.files.enumerated() {
            guard let parts = parts(of: file.path) else { continue }
            guard found.count < SymbolLimits.bundles else {
                throw SymbolRefusal.tooMany(limit: SymbolLimits.bundles)
            }
            let name = plain(parts.bundle.name)
            guard file.size <= SymbolLimits.fileBytes else {
                throw SymbolRefusal.tooLarge(name, limit: SymbolLimits.fileBytes)
            }
            let images = try images(in: source, at: index, named: name)
            found.append(
                SymbolBundle(
                    name: name,
                    program: plain(parts.program),
                    images: images,
                    in: source,
                    content: index,
                    information: information[parts.bundle / "Contents/Info.plist"],
                )
            )
        }
        guard !found.isEmpty else { throw SymbolRefusal.none(place) }
        return found.sorted { ($0.name, $0.program) < ($1.name, $1.program) }
    }

    /// The bundle and the file for a path such as `X.dSYM/Contents/Resources/DWARF/X`.
    private static func parts(
        of path: RelativePath
    ) -> (bundle: RelativePath, program: RelativePath)? {
        let parts = path.components
        guard parts.count >= 5, parts.suffix(4).dropLast().elementsEqual(inside),
            // Files that Finder adds beside each file.
            !path.name.hasPrefix("._"), parts[0] != "__MACOSX"
        else { return nil }
        let bundle = parts.dropLast(4).joined()
        guard String(decoding: bundle.bytes.suffix(5), as: UTF8.self).lowercased() == ".dsym" else {
            return nil
        }
        return (bundle, path.name)
    }

    private static let inside: [RelativePath] = ["Contents", "Resources", "DWARF"]

    private static func images(
        in source: any SymbolSource,
        at index: Int,
        named name: String,
    ) throws -> [ReleaseSymbols.Image] {
        let size = source.files[index].size
        let file: MachOFile
        do {
            file = try unsafe ImageScan.file(of: size) { try unsafe source.read(index, $0) }
        } catch let damage as MalformedBytes {
            throw SymbolRefusal.notSymbols(name, reason: damage.description)
        }
        guard file.slices.allSatisfy({ $0.header.fileType == .debugSymbols }) else {
            throw SymbolRefusal.notSymbols(name, reason: "its Mach-O type is not MH_DSYM")
        }
        let images = file.images
        guard images.count == file.slices.count, !images.isEmpty else {
            throw SymbolRefusal.notSymbols(name, reason: "it has no LC_UUID")
        }
        return images
    }

    /// A name of letters, digits and a few other characters, for archives and file systems.
    private static func plain(_ name: RelativePath) -> String {
        let text = String(
            name.text.unicodeScalars.map { scalar -> Character in
                let isPlain =
                    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || (scalar.isASCII && "._-+ ()".unicodeScalars.contains(scalar))
                return isPlain ? Character(scalar) : "-"
            }
        )
        var short = text
        while short.utf8.count > SymbolLimits.nameBytes { short.removeFirst() }
        return short.allSatisfy { ".- ".contains($0) } ? "Symbols.dSYM" : short
    }
}
