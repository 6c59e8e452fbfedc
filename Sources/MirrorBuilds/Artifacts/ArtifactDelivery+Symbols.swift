import Bytes
import Identifiers
import Mirrors
import Problems
import Publishing
import Releases
import Sandboxing
import Store
import Symbols

/// The dSYMs of an Xcode archive, which are added to the release that was made from it.
extension ArtifactDelivery {
    /// Keeps the dSYMs.
    ///
    /// If they cannot be kept, the build is published all the same, and its log says why.
    func keepSymbols(
        of archive: OpenFolder,
        with artifact: MirrorRun.Artifact,
        saying say: @escaping @Sendable (String) -> Void,
    ) async {
        guard artifact.outcome == .published,
            let app = artifact.app.flatMap({ BundleIdentifier($0) }),
            let identifier = artifact.release.flatMap({ ReleaseIdentifier($0) })
        else { return }
        let (store, actor, date) = (store, mirror.publisher, date)
        do {
            let kept = try await blocking { () throws -> KeptSymbols? in
                guard archive.status(of: "dSYMs")?.kind == .folder,
                    let release = try store.release(identifier, of: app)
                else { return nil }
                let folder = try SymbolFolder(archive.folder(at: "dSYMs"), named: "dSYMs")
                guard !folder.files.isEmpty else { return nil }
                return try store.keepSymbols(
                    SymbolSearch.bundles(in: folder, of: "dSYMs"),
                    with: release,
                    by: actor,
                    at: date,
                )
            }
            guard let kept, !kept.added.isEmpty else { return }
            say("kept \(Wording.count(kept.added.count, "dSYM")) with the release")
        } catch {
            say("warning: the dSYMs are not kept: \(Problem(error).message)")
        }
    }
}
