import Bytes
import Cryptography
import Mirrors
import Sandboxing

/// Files that are kept with the build.
extension ArtifactDelivery {
    func keep(
        _ file: ArtifactSearch.Found,
        named name: String,
        saying say: (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        var artifact = MirrorRun.Artifact(path: file.path, outcome: .kept)
        artifact.bytes = file.bytes
        guard file.bytes <= mirror.limits.fileBytes else {
            artifact.detail =
                "it has more than \(mirror.limits.fileBytes.grouped) bytes and was not kept"
            say("warning: \(name) is too large to keep")
            return artifact
        }
        let source = try await blocking { try checkout.file(at: file.path) }
        let store = store
        artifact.blob = try await blocking { try store.keep(source) }
        say("kept \(name), \(file.bytes.grouped) bytes")
        return artifact
    }

    /// - Parameters:
    ///   - file: the folder.
    ///   - name: of the folder, for people.
    ///   - defect: why it is no build for phones, where it is an archive of Xcode's.
    ///   - fix: what to do about that.
    ///   - isRefused: whether the build fails because of it.
    ///   - say: writes into the log.
    /// - Returns: the record.
    /// - Throws: `StoreFailure`, and what keeps the folder from being packed.
    func keepFolder(
        _ file: ArtifactSearch.Found,
        named name: String,
        because defect: String?,
        fixedBy fix: String? = nil,
        isRefused: Bool = false,
        saying say: (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        let folder = try await blocking { try checkout.folder(at: file.path) }
        let folderName = file.path.pathParts.last { !$0.isEmpty } ?? "folder"
        let store = store
        let limit = mirror.limits.fileBytes
        var artifact = MirrorRun.Artifact(
            path: file.path,
            outcome: defect == nil ? .kept : isRefused ? .refused : .notInstallable,
        )
        let (blob, bytes): (SHA256Digest, Int)
        do {
            (blob, bytes) = try await blocking {
                try KeptFolder(of: folder, named: folderName, limit: limit).keep(in: store)
            }
        } catch let failure as KeptFolder.Failure {
            artifact.detail = "\(failure) and was not kept"
            say("warning: \(name) is too large to keep")
            return artifact
        }
        artifact.blob = blob
        artifact.isFolder = true
        artifact.bytes = bytes
        artifact.detail = defect
        let kept = "kept \(name) as a ZIP archive"
        let level = isRefused ? "error: " : ""
        say(
            defect.map { "\(level)\(kept); it is not installable: \($0)" }
                ?? "\(kept), \(bytes.grouped) bytes"
        )
        if let fix { say("fix: \(fix)") }
        return artifact
    }
}
