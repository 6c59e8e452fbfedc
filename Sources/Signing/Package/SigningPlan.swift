package import Bytes
import Zip

/// What becomes of each file of an archive that is signed, and with what.
package struct SigningPlan: Sendable {
    /// A file that is not copied as it is.
    enum Change: Sendable {
        /// Other contents, or a new file.
        case contents([UInt8])
        case program(SignedProgram)
        case removal
    }

    /// An entry that the archive does not have yet; `like` lends its dates and its method.
    enum Addition: Sendable {
        case folder(RelativePath, like: ZipEntry?)
        case file(RelativePath, like: ZipEntry)
    }

    let archive: ZipArchive
    /// The app's folder in the archive.
    package let application: RelativePath
    let changes: [RelativePath: Change]
    /// By the index of the entry that they stand before.
    let additions: [Int: [Addition]]
    /// Digests and targets of what is copied as it is, without code.
    let known: [RelativePath: CodeResources.Sealed]
    /// The app first, then what is inside it by its path, then libraries without a bundle.
    package let bundles: [SignedBundle]
}
