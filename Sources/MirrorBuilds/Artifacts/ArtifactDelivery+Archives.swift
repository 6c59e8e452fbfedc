import Bytes
import Essentials
import Packaging
import Releases
import Sandboxing

/// Archives of Xcode's, `App.xcarchive`.
extension ArtifactDelivery {
    /// Packs a signed archive and publishes the IPA; one that would install nowhere is kept and named.
    func deliverArchive(
        _ file: ArtifactSearch.Found,
        named name: String,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        let folder = try await blocking { try checkout.folder(at: file.path) }
        let ipa = package
        guard let channel else {
            let packing = await blocking { Packing(of: folder, to: nil) }
            return try await keepFolder(file, named: name, because: packing.defect, saying: say)
        }
        let packing = await blocking { Packing(of: folder, to: ipa) }
        guard let size = packing.size else {
            return try await keepFolder(file, named: name, because: packing.defect, saying: say)
        }
        defer { _ = unsafe unlink(ipa) }
        let source = try await blocking { try FileSource(path: ipa) }
        say("packed \(name) into an IPA of \(size) bytes")
        var artifact = try await offer(source, as: file, named: name, on: channel, saying: say)
        artifact.bytes = size
        return artifact
    }

    /// What became of an archive.
    private struct Packing {
        /// Of the IPA; nil where none was made.
        private(set) var size: Int?
        /// Why it installs nowhere.
        private(set) var defect: String?

        init(of folder: OpenFolder, to ipa: String?) {
            do throws(PackageRefusal) {
                let archive = try XcodeArchive(in: folder)
                defect = archive.defect?.description
                guard defect == nil, let ipa else { return }
                size = try Package(of: archive).write(to: ipa)
            } catch {
                defect = error.description
            }
        }
    }
}
