import Bundles
package import Bytes
package import Cryptography
package import Essentials
package import Inspection
import Zip

extension SigningPlan {
    /// Inspects what was written, as `ota validate` would.
    ///
    /// Files that were copied as they are, and whose digests were made from the same bytes before, are
    /// not read again; what was signed is.
    ///
    /// - Parameters:
    ///   - result: the signed archive.
    ///   - sha256: gives its digest, once everything was read.
    ///   - anchors: the authorities to trust.
    ///   - date: the moment that is asked about.
    ///   - threads: that read at once.
    /// - Returns: everything that was found out.
    /// - Throws: `UnreadableArchive`.
    package func inspect(
        _ result: any ByteSource,
        sha256: () -> SHA256Digest,
        trusting anchors: TrustAnchors,
        at date: Date,
        threads: Int = 2,
    ) throws(UnreadableArchive) -> InspectedBuild {
        let archive: ZipArchive
        do throws(ZipRefusal) {
            archive = try ZipArchive(reading: result)
        } catch {
            throw UnreadableArchive(error)
        }
        let inspector = try Inspector(of: archive, trusting: anchors)
        for (path, sealed) in known {
            switch sealed {
            case .file(let sha1, let sha256):
                inspector.assume([.sha1: sha1, .sha256: sha256], of: path)
            case .symbolicLink(let target):
                inspector.assume(target: target, of: path)
            }
        }
        do throws(ZipRefusal) {
            let known = known
            try archive.verify(
                threads: threads,
                among: { known[$0.path] == nil && $0.kind != .directory },
                sink: inspector.sink,
            )
        } catch {
            throw UnreadableArchive(error)
        }
        return inspector.build(sha256: sha256(), at: date)
    }
}
