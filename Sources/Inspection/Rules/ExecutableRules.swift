import Bundles
import Bytes
import Zip

/// Checks the executable file of each bundle.
enum ExecutableRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        let keepsModes = input.archive.keepsModes
        let validated = Set(input.validatedFrameworks.map(\.path))
        return input.application.everyBundle.flatMap { bundle in
            bundle.defects.map {
                defect($0, in: bundle, isValidated: validated.contains(bundle.path))
            }
                + [
                    missing(from: bundle, isValidated: validated.contains(bundle.path))
                        ?? (keepsModes ? mode(of: bundle) : nil)
                ]
                .compactMap(\.self)
        }
    }

    /// installd has been seen to refuse apps for their frameworks' Info.plist, but not for that of a
    /// framework inside a framework.
    private static func defect(
        _ refusal: BundleRefusal,
        in bundle: AppBundle,
        isValidated: Bool,
    ) -> Finding {
        let finding = Finding(refusal)
        guard !bundle.kind.hasOwnProfile, !isValidated, let rule = Rule.named(finding.id) else {
            return finding
        }
        return rule.inference(finding.message, at: finding.place)
    }

    /// The installer marks executables itself and has been seen to fail at it.
    ///
    /// ``ArchiveRules`` reports an archive without any modes, once.
    private static func mode(of bundle: AppBundle) -> Finding? {
        guard bundle.defects.isEmpty, bundle.kind.hasOwnProfile,
            let executable = bundle.executable, !executable.isExecutable
        else { return nil }
        let mode = executable.unixMode.map { "mode 0\(String($0 & 0o777, radix: 8))" } ?? "no mode"
        return Rule.executableMode.inference(
            "The archive gives \(mode) to \(quoted: executable.name): it is not marked executable.",
            at: executable.path,
        )
    }

    /// The installer also requires an executable in the frameworks that it validates
    /// (MIInstallerErrorDomain 11); since Xcode 15, Xcode adds a stub to a framework without one.
    private static func missing(from bundle: AppBundle, isValidated: Bool) -> Finding? {
        guard bundle.defects.isEmpty, bundle.executable == nil else { return nil }
        let message =
            if let name = bundle.info.executableName {
                "Info.plist names the executable \(quoted: name), but there is no such file."
            } else {
                "Info.plist names no executable (CFBundleExecutable)."
            }
        guard bundle.kind.hasOwnProfile || isValidated else {
            return Rule.executableMissing.inference(message, at: bundle.path)
        }
        return Rule.executableMissing.finding(message, at: bundle.path)
    }
}

extension Rule {
    static let executableMissing = Rule(
        "bundle.executable-missing",
        .blocks,
        "The executable is not in the bundle",
        fix: "Build and export again; do not rename the executable after the build.",
        appleCode: "0xe800004b",
        causes: [.executableMissing],
    )
    static let executableMode = Rule(
        "bundle.executable-mode",
        .warns,
        "The executable is not marked executable",
        fix: "Pack on macOS or Linux with zip -qry, which keeps file modes; artifact stores that "
            + "repack the archive lose them.",
        appleCode: "0xe8000046",
        causes: [.executableModeMissing],
    )
}
