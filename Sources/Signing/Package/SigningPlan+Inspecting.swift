import Bundles
package import Bytes
package import Cryptography
package import Essentials
package import Inspection
import Zip

extension SigningPlan {
    /// Inspects the signed archive, as `ota validate` would.
    ///
    /// Files that were copied unchanged, and whose digests the plan computed from the same bytes, are not
    /// read again; signed files are.
    ///
    /// - Parameters:
    ///   - result: the signed archive.
    ///   - sha256: returns its digest, once everything was read.
    ///   - anchors: the trusted authorities.
    ///   - date: the date at which it is judged.
    ///   - threads: the number of threads that read.
    /// - Returns: the inspected build.
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
