/// A kind of build for which no document and no report states what a phone does, and how `ota` reports
/// it.
///
/// A warning about one states in its message that it is unverified.
package struct Doubt: Equatable, Sendable {
    package let build: String
    /// The severity of its finding; nil when `ota` reports nothing.
    package let severity: Severity?
    /// The identifier of the rule that finds it.
    package let rule: String?
    package let reason: String

    private init(
        _ build: String,
        _ severity: Severity? = nil,
        _ rule: String? = nil,
        because reason: String,
    ) {
        self.build = build
        self.severity = severity
        self.rule = rule
        self.reason = reason
    }

    package static let all: [Doubt] = signatures + code + packages

    private static let signatures: [Doubt] = [
        Doubt(
            "DER entitlements whose keys are out of order, or whose version is not 1",
            .warns,
            "entitlement.der-irregular",
            because:
                "Apple's encoder writes neither; it is not public whether the kernel's reader "
                + "accepts them",
        ),
        Doubt(
            "a scatter list that leaves pages without digest, or moves digests",
            .blocks,
            "signature.malformed",
            because: "xnu finds no digest for a page outside the list (`hashes`), so no page of "
                + "the program is ever valid",
        ),
        Doubt(
            "no digest of Info.plist or of the seal",
            .warns,
            "signature.uncovered",
            because: "every signing tool writes both, and no report mentions a build without them",
        ),
        Doubt(
            "wrong pages only in the older of two code directories",
            .warns,
            "signature.irregular",
            because: "xnu uses the one with the stronger digest; it is not documented which one "
                + "iOS before 11 used",
        ),
        Doubt(
            "a code directory with SHA-1 digests only",
            .warns,
            "signature.old-form",
            because: "Apple's document on signature formats names the version, which blocks, "
                + "but not the digest",
        ),
        Doubt(
            "padding of a signature that is not all zeroes",
            .notes,
            "signature.irregular",
            because: "genuine builds have it, and nothing reads it",
        ),
        Doubt(
            "a digest in slot -1 of a library that has no Info.plist inside, or another one",
            .warns,
            "signature.irregular",
            because: "a digest that cannot be compared never blocks by itself, and the pages "
                + "cover the section as well",
        ),
        Doubt(
            "a profile without TeamIdentifier",
            .warns,
            "profile.team-missing",
            because: "every profile since 2013 has one, so no device has been seen with a profile "
                + "that lacks it",
        ),
        Doubt(
            "a list claimed where the profile grants a string",
            .warns,
            "entitlement.type-differs",
            because: "the values match; it is not public whether iOS compares the type",
        ),
        Doubt(
            "an extension without a profile of its own, which the app's profile covers",
            .warns,
            "profile.missing",
            because: "a device may use any profile that it has; there are reports of both outcomes",
        ),
    ]

    private static let code: [Doubt] = [
        Doubt(
            "a main program that is a library",
            .warns,
            "code.not-a-program",
            because: "the kernel does not start it; it is not known whether the installer checks",
        ),
        Doubt(
            "a program with a slice for another platform in addition to the one for devices",
            .warns,
            "code.foreign-slice",
            because: "the installer has an error for it (MIInstallerErrorDomain 198), but it is "
                + "not known when it checks",
        ),
        Doubt(
            "a program only for arm64e, on an A12 or later",
            .warns,
            "code.late-processor",
            because: "older processors certainly refuse it (`device.processor-unsupported`); "
                + "before iOS 26 only Apple shipped such programs",
        ),
        Doubt(
            "a program whose last bytes are cut off, all of them padding",
            .blocks,
            "code.malformed",
            because: "`__LINKEDIT` and the signature's command reach beyond the file's end",
        ),
        Doubt(
            "a framework without CFBundleVersion",
            because: "the App Store refuses it (ITMS-90056), but such apps ran on devices before",
        ),
    ]

    private static let packages: [Doubt] = [
        Doubt(
            "a MinimumOSVersion that is not a version, or not a string",
            .warns,
            "info.minimum-os-invalid",
            because: "it is not public how the installer reads it",
        ),
        Doubt(
            "an Info.plist for the simulator although the code is for devices",
            .warns,
            "info.simulator-build",
            because: "the code decides which processor runs it; code for the simulator blocks",
        ),
        Doubt(
            "an Info.plist with a key twice",
            .warns,
            "info.repeated-key",
            because: "CoreFoundation keeps one of the values; which one is not documented",
        ),
        Doubt(
            "an Info.plist in UTF-16",
            .warns,
            "info.encoding",
            because: "CoreFoundation reads it, and no tool writes it",
        ),
        Doubt(
            "an Info.plist in the old NeXT text format",
            .blocks,
            "bundle.info-malformed",
            because:
                "CoreFoundation may read it, but `ota` cannot check its contents",
        ),
        Doubt(
            "two frameworks with the same identifier in an app",
            .blocks,
            "nested.identifier-duplicate",
            because: "the installer keeps one table of frameworks and extensions "
                + "(MIInstallerErrorDomain 57); frameworks inside extensions only warn",
        ),
        Doubt(
            "two App Clips in one app",
            .warns,
            "clip.several",
            because: "Apple documents one clip for each app, and no report mentions two",
        ),
    ]
}
