import Cryptography
package import Foundation
package import Identifiers
package import Releases

/// A stored dSYM.
package struct SymbolFileEntry: Codable, Equatable, Sendable {
    package let name: String
    package let images: [ReleaseSymbols.Image]
    /// The digest of the ZIP archive to download.
    package let sha256: String
    /// The size in bytes of the archive, and of the symbol file in it.
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

/// An executable of the app, and whether all its slices have a dSYM.
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
    /// After dSYMs were added, the names of the new ones.
    package var added: [String]?
    /// After dSYMs were added, the names of those that match no executable of the release and were left
    /// out.
    package var unmatched: [String]?

    /// - Parameters:
    ///   - release: the release.
    ///   - programs: its executables, for a release whose record does not have them because it has no dSYM
    ///     yet.
    ///   - added: the names of the new dSYMs.
    ///   - unmatched: the names of the dSYMs that were left out.
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

/// The dSYM of a slice, and the release to which it belongs.
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

/// The stored dSYMs of the requested slices.
package struct FoundSymbolsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let symbols: [FoundSymbolsEntry]

    package init(symbols: [FoundSymbolsEntry]) {
        self.symbols = symbols
    }
}
