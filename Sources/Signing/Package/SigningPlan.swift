import Bundles
package import Bytes
package import Cryptography
package import Essentials
package import Inspection
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

    let archive: ZipArchive
    let changes: [RelativePath: Change]
    /// The app first, then what is inside it by its path, then libraries without a bundle.
    package let bundles: [SignedBundle]

    /// Writes the signed archive front to back.
    ///
    /// - Parameters:
    ///   - progress: is called with the share that is written.
    ///   - sink: takes its bytes in order, which are gone when it returns.
    /// - Throws: ``SigningRefusal/unreadable(_:reason:)``, or what the sink throws.
    package func write(
        progress: (Double) -> Void = { _ in },
        to sink: @escaping (UnsafeRawBufferPointer) throws -> Void,
    ) throws {}

    /// Inspects what was written, as `ota validate` would.
    ///
    /// Files that were copied as they are, and whose digests were made before, are not read again.
    ///
    /// - Parameters:
    ///   - result: the signed archive.
    ///   - sha256: its digest.
    /// - Throws: `UnreadableArchive`.
    package func inspect(
        _ result: any ByteSource,
        sha256: SHA256Digest,
        trusting anchors: TrustAnchors,
        at date: Date,
    ) throws -> InspectedBuild {
        throw SigningRefusal.archive(.bundle(.noApplication, place: "", detail: ""))
    }
}
