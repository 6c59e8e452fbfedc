import Bundles
import Bytes
import MachOFormat
import PropertyLists
import Zip

/// One signature that an app needs: of a bundle with its program, or of a library alone.
struct CodeItem: Sendable {
    /// The bundle's folder, or the library's file.
    let path: RelativePath
    let kind: BundleKind
    /// The bundle identifier, or the name of a library's file without extension.
    let identifier: String
    let program: ZipEntry
    let headers: MachOFile
    /// False for a file that is signed by itself.
    let isBundle: Bool

    /// How many folders it is in: deeper code is signed first.
    var depth: Int { path.bytes.count { $0 == UInt8(ascii: "/") } }
}

/// Everything in an app that is signed, found by content and not by names.
struct CodeTree {
    /// The app first, then what is inside it by path.
    private(set) var items: [CodeItem] = []

    /// The folder of Apple's own stub in old watch apps, `_WatchKitStub/WK`.
    ///
    /// Xcode copies the stub from the SDK with Apple's signature, and copies it again to become the watch
    /// app's program, which it signs as any other. Installation wants the stub signed as `com.apple.WK`,
    /// and compares the program with it, both without their signatures (`installd`,
    /// `MICodeSigningVerifier validateWatchKitV2StubExecutableBundle:`; 0xe80000cf if they differ). A stub
    /// that a team signed would install nowhere.
    private static let stub: RelativePath = "_WatchKitStub"

    private let archive: ZipArchive
    private let programs: [RelativePath: MachOFile]

    /// - Throws: ``BundleFault`` for a bundle that needs a signature and cannot have one.
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

    /// Nil for a framework without a program, which is a folder of resources.
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

    /// A library by itself, or, where an Info.plist beside it names it, the program of a bundle in a
    /// place where iOS looks for none.
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
    /// What the file was signed as, which Xcode keeps of a library (`--preserve-metadata=identifier`).
    fileprivate var signedIdentifier: String? {
        slices.lazy.compactMap { try? $0.signature()?.best?.identifier }.first { !$0.isEmpty }
    }
}
