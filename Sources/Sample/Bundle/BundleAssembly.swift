import Bytes
import Cryptography
import Essentials
import Images
import PropertyLists
import Signing

/// Builds signed files from drafts, the innermost bundle first.
struct BundleAssembly {
    let authority: SigningAuthority
    let date: Date

    /// The files of a bundle with paths relative to it, in the order in which Xcode packs them.
    ///
    /// A library without a bundle is one file with an empty path.
    func files(of draft: BundleDraft, profile: ProfileBuilder) throws -> [SampleFile] {
        let signer = CodeSigner(
            identity: draft.signing.identity ?? profile.identity(of: authority),
            options: draft.signing,
            at: date,
        )
        guard draft.kind != .dynamicLibrary else {
            return [try library(draft, signer, profile)]
        }
        var content = (draft.resources + icons(of: draft)).sorted {
            $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        }
        for nested in draft.nested {
            content += try nestedFiles(nested.resolved(in: draft), in: draft, profile)
        }
        let info = draft.infoFile()
        var tail: [SampleFile] = []
        if draft.hasProfile {
            tail.append(.file("embedded.mobileprovision", try embedded(profile, in: draft)))
        }
        if let info { tail.append(.file("Info.plist", info)) }
        if draft.kind == .application || draft.kind == .appClip {
            tail.append(.text("PkgInfo", "APPL????"))
        }
        let seal =
            draft.signing.codeResources
            ?? CodeResources(Self.sealed(content + tail)).propertyList.xml()
        let executable = try signer.signed(
            executables(of: draft),
            sealing: CodeSeals(
                identifier: draft.identifier ?? draft.name,
                infoPlist: info,
                codeResources: seal,
                entitlements: entitlements(of: draft, profile),
            ),
        )
        let signature: [SampleFile] =
            draft.signing.isSigned ? [.file("_CodeSignature/CodeResources", seal)] : []
        let code: [SampleFile] =
            draft.hasExecutable ? [.file(draft.name, executable, mode: 0o755)] : []
        return Self.addingFolders(to: signature + content + code + tail)
    }

    private func nestedFiles(
        _ nested: BundleDraft,
        in host: BundleDraft,
        _ profile: ProfileBuilder,
    ) throws -> [SampleFile] {
        var own = profile
        own.name = nil
        own.uuid = nil
        if own.pattern?.hasSuffix("*") != true { own.pattern = nil }
        var nested = nested
        let parents = "com.apple.developer.parent-application-identifiers"
        if nested.kind == .appClip, !nested.entitlements.keys.contains(parents) {
            let prefix = own.prefix ?? (own.team ?? authority.team).identifier
            nested.entitlements[parents] =
                .array([.string("\(prefix).\(host.identifier ?? "")")])
        }
        let place = "\(nested.kind.folder)/\(nested.name)\(nested.kind.suffix)"
        return try files(of: nested, profile: nested.profile ?? own).map { file in
            var file = file
            file.path = file.path.isEmpty ? place : "\(place)/\(file.path)"
            return file
        }
    }

    private func library(
        _ draft: BundleDraft,
        _ signer: CodeSigner,
        _ profile: ProfileBuilder,
    ) throws -> SampleFile {
        let bytes = try signer.signed(
            executables(of: draft),
            sealing: CodeSeals(
                identifier: draft.identifier ?? draft.name,
                entitlements: entitlements(of: draft, profile),
            ),
        )
        return .file("", bytes, mode: 0o755)
    }

    private func embedded(_ profile: ProfileBuilder, in draft: BundleDraft) throws -> [UInt8] {
        let subject = ProfileBuilder.Subject(
            bundleIdentifier: draft.identifier ?? "",
            entitlements: draft.entitlements.compactMapValues(\.self),
        )
        return try profile.bytes(for: subject, by: authority)
    }

    private func entitlements(of draft: BundleDraft, _ profile: ProfileBuilder) -> PropertyList? {
        var entries: [String: PropertyList] = [:]
        if draft.kind.carriesEntitlements {
            let team = profile.team ?? authority.team
            let prefix = profile.prefix ?? team.identifier
            entries["application-identifier"] = .string("\(prefix).\(draft.identifier ?? "")")
            entries["com.apple.developer.team-identifier"] = .string(team.identifier)
            entries["get-task-allow"] = .boolean(profile.kind == .development)
            if profile.kind == .testFlight { entries["beta-reports-active"] = .boolean(true) }
        }
        for (key, value) in draft.entitlements { entries[key] = value }
        return entries.isEmpty && !draft.kind.carriesEntitlements ? nil : .dictionary(entries)
    }

    private func executables(of draft: BundleDraft) -> [MachOBuilder] {
        let isLibrary = !draft.kind.carriesEntitlements
        return draft.architectures.map { architecture in
            var builder = MachOBuilder(
                isLibrary ? .dynamicLibrary : .executable,
                named: draft.identifier ?? draft.name,
                minimumOS: draft.minimumOS ?? "15.0",
                architecture: architecture,
            )
            builder.platform = draft.platform
            if isLibrary {
                let file = draft.name + draft.kind.suffix
                builder.installName =
                    "@rpath/\(draft.kind == .framework ? "\(file)/\(draft.name)" : file)"
            }
            for library in draft.nested where !library.kind.carriesEntitlements {
                let file = library.name + library.kind.suffix
                builder.libraries.append(
                    "@rpath/\(library.kind == .framework ? "\(file)/\(library.name)" : file)"
                )
            }
            if builder.libraries.count > 1 { builder.runPaths = ["@executable_path/Frameworks"] }
            draft.adjustExecutable?(&builder)
            return builder
        }
    }

    private func icons(of draft: BundleDraft) -> [SampleFile] {
        guard draft.hasIcon else { return [] }
        let sizes = [("AppIcon60x60@2x", 120, 1), ("AppIcon76x76@2x~ipad", 152, 2)]
        return sizes.filter { draft.families?.contains($0.2) ?? false }.map { name, side, _ in
            let icon = Raster.placeholder(
                name: draft.displayName ?? draft.name,
                seed: draft.identifier ?? draft.name,
                side: side,
            )
            return .file("\(name).png", icon.png())
        }
    }

    private static func sealed(_ files: [SampleFile]) -> [RelativePath: CodeResources.Sealed] {
        var sealed: [RelativePath: CodeResources.Sealed] = [:]
        for file in files {
            let path = RelativePath(file.path)
            switch file.content {
            case .folder: continue
            case .symbolicLink(let target):
                sealed[path] = .symbolicLink(target: RelativePath(target))
            case .bytes, .noise:
                let digests = file.content.digests()
                sealed[path] = .file(sha1: digests.sha1, sha256: digests.sha256)
            }
        }
        return sealed
    }

    /// Inserts an entry for each folder before the first file in it.
    static func addingFolders(to files: [SampleFile]) -> [SampleFile] {
        var seen: Set<String> = []
        var result: [SampleFile] = []
        for file in files {
            var folders: [Substring] = []
            var rest = file.path[...]
            while let slash = rest.lastIndex(of: "/") {
                rest = rest[..<slash]
                folders.insert(rest, at: 0)
            }
            for folder in folders where seen.insert(String(folder)).inserted {
                result.append(.folder(String(folder)))
            }
            guard !file.content.isFolder || seen.insert(file.path).inserted else { continue }
            result.append(file)
        }
        return result
    }
}
