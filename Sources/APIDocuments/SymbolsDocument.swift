import Cryptography
package import Foundation
package import Identifiers
package import Releases

/// A dSYM that is kept.
package struct SymbolFileEntry: Codable, Equatable, Sendable {
    package let name: String
    package let images: [ReleaseSymbols.Image]
    /// Of the ZIP archive that is downloaded.
    package let sha256: String
    /// Bytes of the archive, and of the file with the symbols in it.
    package let size, contentSize: Int
    package let added: Date
    package let by: String

    package init(_ file: ReleaseSymbols.File) {
        name = file.name
        images = file.images
        sha256 = file.blob.description
        size = file.size
        contentSize = file.contentSize
        added = file.added
        by = file.by
    }
}

/// A program of the app, and whether each of its slices has a dSYM.
package struct SymbolProgramEntry: Codable, Equatable, Sendable {
    package let path: String
    package let images: [ReleaseSymbols.Image]
    package let hasSymbols: Bool
}

/// The dSYMs of a release.
package struct SymbolsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let app, release: String
    package let programs: [SymbolProgramEntry]
    package let symbols: [SymbolFileEntry]
    /// After some were added, the names of those that are new.
    package var added: [String]?
    /// After some were added, the names of those that belong to no program of the release and were left out.
    package var unmatched: [String]?

    /// - Parameters:
    ///   - release: whose.
    ///   - programs: those of the release, which its record has only with the first dSYM.
    ///   - added: the names of those that are new.
    ///   - unmatched: the names of those that were left out.
    package init(
        of release: Release,
        programs: [ReleaseSymbols.Program] = [],
        added: [String]? = nil,
        unmatched: [String]? = nil,
    ) {
        app = release.bundleIdentifier.rawValue
        self.release = release.identifier.rawValue
        let known = release.symbols
        let missing = Set((known?.missing ?? programs).map(\.path))
        self.programs = (known?.programs ?? programs).map { program in
            SymbolProgramEntry(
                path: program.path,
                images: program.images,
                hasSymbols: !missing.contains(program.path),
            )
        }
        symbols = (known?.files ?? []).map { SymbolFileEntry($0) }
        self.added = added
        self.unmatched = unmatched
    }
}

/// A dSYM of a slice, and the release that it belongs to.
package struct FoundSymbolsEntry: Codable, Equatable, Sendable {
    package let uuid: ImageUUID
    package let architecture: String
    package let app, release, name, sha256: String
    package let size: Int

    package init(
        _ image: ReleaseSymbols.Image,
        of file: ReleaseSymbols.File,
        app: String,
        release: String,
    ) {
        uuid = image.uuid
        architecture = image.architecture
        self.app = app
        self.release = release
        name = file.name
        sha256 = file.blob.description
        size = file.size
    }
}

/// What is kept of some slices.
package struct FoundSymbolsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let symbols: [FoundSymbolsEntry]

    package init(symbols: [FoundSymbolsEntry]) {
        self.symbols = symbols
    }
}
