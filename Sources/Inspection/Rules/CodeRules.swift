import Bundles
import Bytes
import CodeSignature
import Identifiers
import MachOFormat

/// What the executables are, and are made for.
enum CodeRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        let code = input.code
        // Info.plist says of a simulator's build what it is, and the code could only repeat it.
        let isForSimulator =
            input.application.info.isForSimulator && !input.isProgramForDevices
        let complaints = code.flatMap { code -> [Complaint] in
            let own = form(of: code) + program(of: code) + encryption(of: code)
            guard !isForSimulator else { return own }
            let target = Self.target(of: code, in: input)
            return own + (target.isEmpty ? minimumOS(of: code) + foreignSlices(of: code) : target)
        }
        return (complaints + LinkedLibraries(input, code).complaints).findings
    }

    /// An executable that is none.
    static func form(of code: SignedCode) -> [Complaint] {
        guard case .malformed(let malformed) = code.executable.content else { return [] }
        let reason = PrintableText(escaping: "\(malformed)", limit: 300)
        return [
            Complaint(
                .codeMalformed,
                "The executable is not a Mach-O file: \(reason)",
                at: code.path,
            )
        ]
    }

    /// An app or extension whose executable is a library cannot be started.
    private static func program(of code: SignedCode) -> [Complaint] {
        guard code.bundle.kind.hasOwnProfile else { return [] }
        return [Complaint](code.slices) { slice in
            guard slice.fileType != .executable else { return [] }
            return [
                Complaint(
                    .codeNotProgram,
                    "CFBundleExecutable names no program (MH_EXECUTE) but \(slice.fileType.title)",
                    at: code.path,
                    .inferred,
                )
            ]
        }
    }

    private static func encryption(of code: SignedCode) -> [Complaint] {
        [Complaint](code.slices) { slice in
            guard let encryption = slice.encryption, encryption.isEncrypted else { return [] }
            return [
                Complaint(
                    .codeEncrypted,
                    "The code is encrypted by the App Store (cryptid \(encryption.identifier)), "
                        + "for the account that bought it",
                    at: code.path,
                )
            ]
        }
    }

    /// Whether a device finds a slice that it can run, made for its platform.
    private static func target(of code: SignedCode, in input: InspectionInput) -> [Complaint] {
        let slices = code.executable.slices
        guard !slices.isEmpty else { return [] }
        let usable = slices.filter { $0.processor.isOfDevices(watch: code.isForWatch) }
        let names = slices.map { "\($0.processor)" }.joined(separator: ", ")
        guard !usable.isEmpty else { return [noSlice(in: code, names, input)] }
        let foreign = usable.compactMap(\.platform).filter { !$0.runs(onWatch: code.isForWatch) }
        guard foreign.count == usable.count, let platform = foreign.first else {
            return lateProcessors(usable, of: code)
        }
        let wanted = code.isForWatch ? "watchOS" : "iOS"
        let message = "The code is built for \(platform), not for \(wanted)"
        return [
            code.bundle.kind.hasOwnProfile
                ? Complaint(.codePlatform, message, at: code.path)
                : Complaint(.libraryUnusable, message, at: code.path, .inferred)
        ]
    }

    /// Programs without an arm64 slice run on newer devices alone; which one is asked of each device.
    ///
    /// Every device with iOS 26 or iPadOS 26 has an A12 or later.
    private static func lateProcessors(
        _ usable: [SliceEvidence],
        of code: SignedCode,
    ) -> [Complaint] {
        let processors = usable.map(\.processor)
        guard code.bundle.kind == .application, !processors.contains(.arm64) else { return [] }
        guard processors.contains(.arm64e) else {
            return [
                Complaint(
                    .codeLateProcessor,
                    "The code is only for arm64e.x1, and it is not known which devices run that",
                    at: code.path,
                    .inferred,
                )
            ]
        }
        guard code.host.info.minimumOS.map({ $0.major < 26 }) ?? true else { return [] }
        return [
            Complaint(
                .codeLateProcessor,
                "The code is only for arm64e, which needs an A12 (iPhone XS, iPad Air of 2019) or "
                    + "later; it is not known whether iOS before 26 starts such apps unless they "
                    + "are Apple's",
                at: code.path,
                .inferred,
            )
        ]
    }

    /// installd has an error for programs with slices for other platforms
    /// (MIInstallerErrorDomain 198); when it looks was not to be seen.
    private static func foreignSlices(of code: SignedCode) -> [Complaint] {
        guard code.bundle.kind.hasOwnProfile else { return [] }
        let foreign = code.executable.slices.filter { slice in
            guard let platform = slice.platform else { return false }
            return !platform.runs(onWatch: code.isForWatch)
        }
        guard let first = foreign.first, let platform = first.platform else { return [] }
        return [
            Complaint(
                .codeForeignSlice,
                "The program has a slice for \(platform) (\(first.processor)) beside the one for "
                    + "devices",
                at: code.path,
                .inferred,
            )
        ]
    }

    private static func noSlice(
        in code: SignedCode,
        _ names: String,
        _ input: InspectionInput,
    ) -> Complaint {
        let isOld = code.executable.slices.contains { $0.processor.isOfOldPhones }
        let message =
            code.isForWatch
            ? "The code is for \(names), and no watch runs any of them"
            : "The code is for \(names) and has no arm64 slice"
        guard code.bundle.kind.hasOwnProfile else {
            return Complaint(.libraryUnusable, message, at: code.path, .inferred)
        }
        guard isOld, !code.isForWatch else {
            return Complaint(.codeSlices, message, at: code.path)
        }
        return Complaint(
            .codeSlices,
            message + ", the only one that iOS 11 and later run",
            at: code.path,
            .from(OSVersion(major: 11), minimum: input.application.info.minimumOS),
        )
    }

    /// The minimum version that the linker wrote against that of Info.plist; for libraries, whose
    /// Info.plist installd does not read, against that of the bundle around them.
    private static func minimumOS(of code: SignedCode) -> [Complaint] {
        let claimed = code.bundle.kind.hasOwnProfile ? code.bundle : code.host
        guard let minimum = claimed.info.minimumOS else { return [] }
        return [Complaint](code.slices) { slice in
            guard slice.processor.isOfDevices(watch: code.isForWatch),
                let needed = slice.buildVersions.first?.minimumOS, needed.version > minimum
            else { return [] }
            return [
                Complaint(
                    .codeMinimum,
                    "The code is linked for version \(needed) and later, and MinimumOSVersion is "
                        + "\(minimum): on older devices it installs and may not open",
                    at: code.path,
                    .inferred,
                )
            ]
        }
    }
}

extension InspectionInput {
    /// Whether the app's program has a slice that says it is for iOS and runs on devices.
    var isProgramForDevices: Bool {
        signatures(of: application)?.executable?.slices.contains {
            $0.processor.isOfDevices(watch: false) && $0.platform == .iOS
        } ?? false
    }
}

extension InfoPlist {
    /// Whether Xcode built for a simulator, or the list of platforms has no device's.
    ///
    /// Templates list both platforms, and then the code alone tells.
    var isForSimulator: Bool {
        let named = supportedPlatforms.map { $0.lowercased() }
        return platformName?.lowercased().hasSuffix("simulator") == true
            || !named.contains("iphoneos") && named.contains { $0.hasSuffix("simulator") }
    }
}

extension SliceEvidence {
    /// What a device takes the slice to be for.
    fileprivate var platform: BuildPlatform? { buildVersions.first?.platform }
}

extension BuildPlatform {
    fileprivate func runs(onWatch isWatch: Bool) -> Bool { self == (isWatch ? .watchOS : .iOS) }
}

extension PackedVersion {
    fileprivate var version: OSVersion { OSVersion(major: major, minor: minor, patch: patch) }
}

extension MachHeader.FileType {
    fileprivate var title: String {
        switch self {
        case .object: "an object file"
        case .executable: "a program"
        case .core: "a core file"
        case .dynamicLibrary: "a dynamic library"
        case .dynamicLinker: "a dynamic linker"
        case .bundle: "a loadable bundle"
        case .libraryStub: "the stub of a library"
        case .debugSymbols: "a file of debug symbols"
        case .kernelExtension: "a kernel extension"
        case .unknown(let number): "a file of the unknown type \(number)"
        }
    }
}
