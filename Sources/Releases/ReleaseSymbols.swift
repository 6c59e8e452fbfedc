package import Cryptography
package import Essentials
package import Identifiers

/// The dSYMs of a release, which symbolicate the addresses in crash reports.
package struct ReleaseSymbols: Codable, Sendable, Equatable {
    /// The most dSYMs of a release.
    package static let fileLimit = 300
    /// The most executables of an app that are checked.
    package static let programLimit = 1000

    /// One slice of an executable or a dSYM.
    package struct Image: Codable, Sendable, Hashable {
        /// The architecture as named by lipo: `arm64`.
        package let architecture: String
        package let uuid: ImageUUID

        package init(architecture: String, uuid: ImageUUID) {
            self.architecture = architecture
            self.uuid = uuid
        }
    }

    /// An executable or library of the app.
    package struct Program: Codable, Sendable, Equatable {
        /// The path within the app: `Browsey`, `Frameworks/Net.framework/Net`.
        package let path: String
        package let images: [Image]

        package init(path: String, images: [Image]) {
            self.path = path
            self.images = images
        }
    }

    /// A stored dSYM.
    package struct File: Codable, Sendable, Equatable {
        /// The name, such as `Browsey.app.dSYM`.
        package let name: String
        package let images: [Image]
        /// The blob of a ZIP archive of the bundle.
        package let blob: SHA256Digest
        /// The size of the archive in bytes.
        package let size: Int
        /// The size in bytes of the symbol file in it.
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

        /// The file name for downloading the archive, in ASCII.
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

    /// The executables of the release, by path.
    package let programs: [Program]
    /// The dSYMs by name.
    package private(set) var files: [File]

    package init(programs: [Program]) {
        self.programs = programs
        files = []
    }

    /// The dSYM of a slice, if it is stored.
    package func file(of uuid: ImageUUID) -> File? {
        files.first { $0.images.contains { $0.uuid == uuid } }
    }

    /// The executables with a slice that has no dSYM.
    package var missing: [Program] {
        programs.filter { program in !program.images.allSatisfy { file(of: $0.uuid) != nil } }
    }

    /// Whether an executable has this slice.
    package func hasProgram(_ uuid: ImageUUID) -> Bool {
        programs.contains { $0.images.contains { $0.uuid == uuid } }
    }

    /// Adds a dSYM, which replaces those that have one of its slices.
    ///
    /// - Returns: false if there are too many, or if the same bytes are already stored.
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

    /// Removes a dSYM; the next garbage collection deletes its bytes.
    ///
    /// - Returns: the removed dSYM; nil if there is none for the slice.
    package mutating func remove(_ uuid: ImageUUID) -> File? {
        guard let file = file(of: uuid) else { return nil }
        files.removeAll { $0.blob == file.blob }
        return file
    }
}
