import Bytes
import Essentials
import Identifiers
import Mirrors
import Packaging
import ReleaseSigning
import Releases
import Sandboxing
import Store

/// Delivery of Xcode archives, `App.xcarchive`, and of app folders, `App.app`.
extension ArtifactDelivery {
    /// Packs an archive and publishes the IPA: as it is, or signed by the server if it is unsigned and the
    /// app is set to be signed by the server.
    ///
    /// An archive that could not be installed on any device is kept, and the log says why.
    func deliverArchive(
        _ file: ArtifactSearch.Found,
        named name: String,
        by rule: Pipeline.ArtifactRule,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        let folder = try await blocking { try checkout.folder(at: file.path) }
        let ipa = package
        guard let channel else {
            let packing = await blocking { Packing(of: folder, to: nil) }
            return try await keepFolder(file, named: name, because: packing.defect, saying: say)
        }
        let unsigned = UnsignedBuildSigner(store, by: signer, trusting: anchors)
        let packing = await blocking {
            Packing(of: folder, to: ipa) { try unsigned.requireAutomatic($0) }
        }
        guard let size = packing.size else {
            return try await keepFolder(
                file,
                named: name,
                because: packing.defect,
                fixedBy: packing.fix,
                saying: say,
            )
        }
        defer { _ = unsafe unlink(ipa) }
        guard let defect = packing.defect else {
            say("packed \(name) into an IPA of \(size.grouped) bytes")
            let source = try await blocking { try FileSource(path: ipa) }
            var artifact = try await offer(
                source,
                as: file,
                named: name,
                on: channel,
                saying: say,
            )
            artifact.bytes = size
            await keepSymbols(of: folder, with: artifact, saying: say)
            return artifact
        }
        let files = try await blocking { try entitlements(by: rule, beside: folder) }
        let signing = try await sign(
            ipa,
            as: file,
            named: name,
            claiming: files,
            on: channel,
            saying: say,
        )
        switch signing {
        case .offered(let artifact):
            await keepSymbols(of: folder, with: artifact, saying: say)
            return artifact
        case .manual(let fix):
            return try await keepFolder(
                file,
                named: name,
                because: defect,
                fixedBy: fix,
                saying: say,
            )
        case .failed(let reason):
            return try await keep(file, named: name, as: defect, lacking: reason, saying: say)
        }
    }

    /// Signs an app's folder and publishes it.
    ///
    /// - Returns: nil if the folder is not an unsigned iOS app, or if the app is not set to be signed
    ///   automatically; it is then kept like any other folder.
    func deliverApplication(
        _ file: ArtifactSearch.Found,
        named name: String,
        by rule: Pipeline.ArtifactRule,
        on channel: ChannelName,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact? {
        let folder = try await blocking { try checkout.folder(at: file.path) }
        let ipa = package
        let isPacked = await blocking { () -> Bool in
            guard folder.status(of: "Info.plist") != nil,
                folder.status(of: "_CodeSignature/CodeResources") == nil,
                let archive = try? Packaging.FolderArchive(
                    of: folder,
                    named: file.path.pathParts.last ?? "App.app",
                )
            else { return false }
            return (try? archive.write(to: ipa)) != nil
        }
        guard isPacked else { return nil }
        defer { _ = unsafe unlink(ipa) }
        let files = try await blocking { try entitlements(by: rule, beside: nil) }
        let signing = try await sign(
            ipa,
            as: file,
            named: name,
            claiming: files,
            on: channel,
            saying: say,
        )
        switch signing {
        case .offered(let artifact): return artifact
        case .manual: return nil
        case .failed(let reason):
            let defect = "the app is not signed, so no phone installs it"
            return try await keep(file, named: name, as: defect, lacking: reason, saying: say)
        }
    }

    /// Keeps a folder that should have been signed, and fails the build.
    private func keep(
        _ file: ArtifactSearch.Found,
        named name: String,
        as defect: String,
        lacking reason: PublishAttempt.Reason,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        try await keepFolder(
            file,
            named: name,
            because: "\(defect), and it could not be signed: \(reason.words)",
            fixedBy: reason.fix,
            isRefused: true,
            saying: say,
        )
    }

    /// The result of packing an archive.
    private struct Packing {
        /// The IPA's size in bytes; nil if none was made.
        private(set) var size: Int?
        /// Why the archive cannot be installed as it is.
        private(set) var defect: String?
        /// What to do so that the server signs it.
        private(set) var fix: String?

        /// Packs the archive, unless it is not installable and cannot be signed either: `requireAutomatic`
        /// then throws why the app with its bundle identifier is not signed.
        init(
            of folder: OpenFolder,
            to ipa: String?,
            ifSigned requireAutomatic: (BundleIdentifier?) throws -> Void = { _ in },
        ) {
            do throws(PackageRefusal) {
                let archive = try XcodeArchive(in: folder)
                defect = archive.defect?.description
                guard let ipa else { return }
                if defect != nil {
                    do {
                        let identifier = archive.bundleIdentifier
                        try requireAutomatic(identifier.flatMap { BundleIdentifier($0) })
                    } catch {
                        fix = (error as? ReleaseSigningRefusal)?.fix
                        return
                    }
                }
                size = try Package(of: archive).write(to: ipa)
            } catch {
                defect = error.description
            }
        }
    }
}
