import Bundles
import Bytes
import MachOFormat
import PropertyLists
import Zip

/// One signature that an app needs: of a bundle with its executable, or of a library without a bundle.
struct CodeItem: Sendable {
    /// The bundle's folder, or the library's file.
    let path: RelativePath
    let kind: BundleKind
    /// The bundle identifier, or the name of a library file without extension.
    let identifier: String
    let program: ZipEntry
    let headers: MachOFile
    /// False for a library without a bundle.
    let isBundle: Bool

    /// The number of enclosing folders; deeper code is signed first.
    var depth: Int { path.bytes.count { $0 == UInt8(ascii: "/") } }
}

/// All code of an app that is signed, found by content rather than by name.
struct CodeTree {
    /// The app first, then its nested code by path.
    private(set) var items: [CodeItem] = []

    /// The folder of Apple's stub in old watch apps, `_WatchKitStub/WK`.
    ///
    /// Xcode copies the stub from the SDK with Apple's signature, and copies it again as the watch app's
    /// executable, which it signs like any other. The installer requires the stub to be signed as
    /// `com.apple.WK` and compares it with the executable, both without their signatures (`installd`,
    /// `MICodeSigningVerifier validateWatchKitV2StubExecutableBundle:`; 0xe80000cf if they differ). A
    /// stub signed by a team could not be installed.
    /// that a team signed would install nowhere.
    private static let stub: RelativePath = "_WatchKitStub"

    private let archive: ZipArchive
    private let programs: [RelativePath: MachOFile]

    /// - Throws: ``BundleFault`` for a bundle that needs a signature but cannot be signed.
    init(
        of application: AppBundle,
        in archive: ZipArchive,
        programs: [RelativePath: MachOFile],
    ) throws(SigningRefusal) {
        self.archive = archive
        self.programs = programs
        var known: Set<RelativePath> = []
        for bundle in application.everyBundle where bundle.kind != .dynamicLibrary {
            if let defect = bundle.defects.first { throw .archive(defect) }
            guard let item = try item(for: bundle) else { continue }
            items.append(item)
            known.insert(item.program.path)
        }
        let bundles = Set(items.map(\.path))
        let loose = programs.keys.filter { !known.contains($0) }.sorted()
        for path in loose where !path.components.contains(Self.stub) {
            guard let program = archive[path], let headers = programs[path] else { continue }
            items.append(looseItem(program, headers, beside: bundles))
        }
    }

    /// Nil for a framework without an executable, which is a folder of resources.
    private func item(for bundle: AppBundle) throws(SigningRefusal) -> CodeItem? {
        guard let program = bundle.executable else {
            guard bundle.kind.hasOwnProfile else { return nil }
            throw .bundle(.executableMissing(name: bundle.info.executableName), at: bundle.path)
        }
        guard let headers = programs[program.path] else {
            throw .bundle(.executableNotCode(name: program.name.text), at: bundle.path)
        }
        let identifier = bundle.info.identifierText
        guard let identifier = identifier ?? (bundle.kind.hasOwnProfile ? nil : bundle.folderName)
        else { throw .bundle(.identifierMissing, at: bundle.path) }
        return CodeItem(
            path: bundle.path,
            kind: bundle.kind,
            identifier: identifier,
            program: program,
            headers: headers,
            isBundle: true,
        )
    }

    /// A library without a bundle or, when an Info.plist beside it names it, the executable of a bundle
    /// in a place where iOS does not look for one.
    private func looseItem(
        _ program: ZipEntry,
        _ headers: MachOFile,
        beside bundles: Set<RelativePath>,
    ) -> CodeItem {
        if let folder = program.path.parent, !bundles.contains(folder),
            let info = SmallPropertyList.read(folder / "Info.plist", in: archive),
            info["CFBundleExecutable"]?.string.map({ RelativePath($0) }) == program.name
        {
            return CodeItem(
                path: folder,
                kind: .framework,
                identifier: info["CFBundleIdentifier"]?.string ?? folder.stem.text,
                program: program,
                headers: headers,
                isBundle: true,
            )
        }
        return CodeItem(
            path: program.path,
            kind: .dynamicLibrary,
            identifier: headers.signedIdentifier ?? program.path.stem.text,
            program: program,
            headers: headers,
            isBundle: false,
        )
    }
}

extension MachOFile {
    /// The identifier in the library's old signature, which Xcode preserves
    /// (`--preserve-metadata=identifier`).
    fileprivate var signedIdentifier: String? {
        slices.lazy.compactMap { try? $0.signature()?.best?.identifier }.first { !$0.isEmpty }
    }
}
