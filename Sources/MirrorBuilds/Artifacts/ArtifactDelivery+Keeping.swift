import Bytes
import Cryptography
import Mirrors
import Sandboxing

/// Delivery of files that are kept with the build.
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
    ///   - name: the folder's name, for display.
    ///   - defect: why it cannot be installed, if it is an Xcode archive.
    ///   - fix: how to fix that.
    ///   - isRefused: whether the build fails because of the folder.
    ///   - say: writes a line to the log.
    /// - Returns: the record.
    /// - Throws: `StoreFailure`, and why the folder cannot be packed.
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
