package import Cryptography
package import Essentials
package import Identifiers

/// What names the lines of a release whose addresses a crash report gives: its dSYMs.
package struct ReleaseSymbols: Codable, Sendable, Equatable {
    /// How many dSYMs a release can have.
    package static let fileLimit = 300
    /// How many programs of an app are checked.
    package static let programLimit = 1000

    /// One slice of a program, or of a dSYM.
    package struct Image: Codable, Sendable, Hashable {
        /// As lipo names it: `arm64`.
        package let architecture: String
        package let uuid: ImageUUID

        package init(architecture: String, uuid: ImageUUID) {
            self.architecture = architecture
            self.uuid = uuid
        }
    }

    /// A program or library of the app.
    package struct Program: Codable, Sendable, Equatable {
        /// Below the app: `Browsey`, `Frameworks/Net.framework/Net`.
        package let path: String
        package let images: [Image]

        package init(path: String, images: [Image]) {
            self.path = path
            self.images = images
        }
    }

    /// A dSYM that is kept.
    package struct File: Codable, Sendable, Equatable {
        /// As in `Browsey.app.dSYM`.
        package let name: String
        package let images: [Image]
        /// A ZIP archive of the bundle.
        package let blob: SHA256Digest
        /// Bytes of the archive.
        package let size: Int
        /// Bytes of the file with the symbols in it.
        package let contentSize: Int
        package let added: Date
        /// Who added it: a token's name, or the user of the command line.
        package let by: String

        package init(
            name: String,
            images: [Image],
            blob: SHA256Digest,
            size: Int,
            contentSize: Int,
            added: Date,
            by: String,
        ) {
            self.name = name
            self.images = images
            self.blob = blob
            self.size = size
            self.contentSize = contentSize
            self.added = added
            self.by = by
        }

        /// The name of its archive on a disk, in ASCII.
        package var downloadName: String {
            String(
                name.map { character in
                    let isPlain =
                        character.isASCII
                        && (character.isLetter || character.isNumber || "._-+".contains(character))
                    return isPlain ? character : "-"
                }
            ) + ".zip"
        }
    }

    /// Those of the release, by path.
    package let programs: [Program]
    /// By name.
    package private(set) var files: [File]

    package init(programs: [Program]) {
        self.programs = programs
        files = []
    }

    /// The dSYM of a slice, if it is kept.
    package func file(of uuid: ImageUUID) -> File? {
        files.first { $0.images.contains { $0.uuid == uuid } }
    }

    /// The programs of which some slice has no dSYM.
    package var missing: [Program] {
        programs.filter { program in !program.images.allSatisfy { file(of: $0.uuid) != nil } }
    }

    /// Whether some program has this slice.
    package func hasProgram(_ uuid: ImageUUID) -> Bool {
        programs.contains { $0.images.contains { $0.uuid == uuid } }
    }

    /// Adds a dSYM; it takes the place of those that have one of its slices.
    ///
    /// - Returns: false where there are too many, and for one that is there with the same bytes.
    package mutating func add(_ file: File) -> Bool {
        let uuids = Set(file.images.map(\.uuid))
        let others = files.filter { $0.images.allSatisfy { !uuids.contains($0.uuid) } }
        guard others.count < Self.fileLimit, !files.contains(where: { $0.blob == file.blob })
        else { return false }
        files = (others + [file]).sorted {
            ($0.name, $0.blob.description) < ($1.name, $1.blob.description)
        }
        return true
    }

    /// Gives up a dSYM; its bytes go with the next collection.
    ///
    /// - Returns: what was given up; nil where there is none of that slice.
    package mutating func remove(_ uuid: ImageUUID) -> File? {
        guard let file = file(of: uuid) else { return nil }
        files.removeAll { $0.blob == file.blob }
        return file
    }
}
