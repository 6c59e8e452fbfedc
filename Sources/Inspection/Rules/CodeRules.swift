import Bundles
import Bytes
import CodeSignature
import Identifiers
import MachOFormat

/// Checks the executables' architectures, platforms and file types.
enum CodeRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        let code = input.code
        // Info.plist identifies a simulator build, so the same finding about the code would repeat it.
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

    /// Reports an executable that is not valid Mach-O.
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

    /// An app or extension cannot start if its executable is a library.
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

    /// Checks that the executable has a slice for devices and for their platform.
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

    /// Programs without an arm64 slice run only on newer devices; ``DeviceRules`` decides for each
    /// device.
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
                    "The code is only for arm64e.x1, but it is not known which devices run that",
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

    /// installd has an error for programs with slices for other platforms (MIInstallerErrorDomain 198);
    /// it is not known when it checks this.
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
                "The program has a slice for \(platform) (\(first.processor)) in addition to the one for "
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
            ? "The code is for \(names), but no watch runs any of them"
            : "The code is for \(names), but has no arm64 slice"
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

    /// Compares the minimum version that the linker wrote with that of Info.plist; for libraries, whose
    /// Info.plist installd does not read, with that of the bundle that contains them.
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
                    "The code is linked for version \(needed) and later, but MinimumOSVersion is "
                        + "\(minimum): on older devices it installs, but may not open",
                    at: code.path,
                    .inferred,
                )
            ]
        }
    }
}

extension InspectionInput {
    /// Whether the app's executable has a slice for iOS that runs on devices.
    var isProgramForDevices: Bool {
        signatures(of: application)?.executable?.slices.contains {
            $0.processor.isOfDevices(watch: false) && $0.platform == .iOS
        } ?? false
    }
}

extension InfoPlist {
    /// Whether Xcode built it for a simulator, or its list of platforms contains a simulator's and no
    /// device's.
    ///
    /// Templates list both platforms; then only the code decides.
    var isForSimulator: Bool {
        let named = supportedPlatforms.map { $0.lowercased() }
        return platformName?.lowercased().hasSuffix("simulator") == true
            || !named.contains("iphoneos") && named.contains { $0.hasSuffix("simulator") }
    }
}

extension SliceEvidence {
    /// The platform for which a device takes the slice.
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
