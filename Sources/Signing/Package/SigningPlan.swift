package import Bytes
import Zip

/// The changes that sign an archive, with the resulting signatures.
package struct SigningPlan: Sendable {
    /// A change to an entry that is not copied unchanged.
    enum Change: Sendable {
        /// New contents for a file.
        case contents([UInt8])
        case program(SignedProgram)
        case removal
    }

    /// A new entry; `like` provides its date and compression method.
    enum Addition: Sendable {
        case folder(RelativePath, like: ZipEntry?)
        case file(RelativePath, like: ZipEntry)
    }

    let archive: ZipArchive
    /// The app's folder in the archive.
    package let application: RelativePath
    let changes: [RelativePath: Change]
    /// By the index of the entry before which they are inserted.
    let additions: [Int: [Addition]]
    /// Digests and link targets of entries copied unchanged, without code.
    let known: [RelativePath: CodeResources.Sealed]
    /// The app first, then its nested bundles by path, then libraries without a bundle.
    package let bundles: [SignedBundle]
}
