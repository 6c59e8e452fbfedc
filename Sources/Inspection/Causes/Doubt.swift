/// A kind of build of which no document and no report says for certain what a phone does, and what is
/// decided about it.
///
/// What warns says in its sentence that it is unverified.
package struct Doubt: Equatable, Sendable {
    package let build: String
    /// What a finding means; nil for a build that nothing is said about.
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
            "DER entitlements whose keys are not in order, or of another version than 1",
            .warns,
            "entitlement.der-irregular",
            because:
                "Apple's encoder writes neither; whether the kernel's reader takes them is not "
                + "public",
        ),
        Doubt(
            "a scatter list that leaves pages without digest, or moves digests",
            .blocks,
            "signature.malformed",
            because: "xnu finds no digest for a page that the list does not count (`hashes`), so "
                + "that no page of the program is ever valid",
        ),
        Doubt(
            "no digest of Info.plist or of the seal",
            .warns,
            "signature.uncovered",
            because: "every signing tool writes both, and no report tells of a build without",
        ),
        Doubt(
            "wrong pages in the older of two code directories alone",
            .warns,
            "signature.irregular",
            because: "xnu goes by the one with the better digest; which iOS before 11 took is not "
                + "said",
        ),
        Doubt(
            "a code directory with SHA-1 digests alone",
            .warns,
            "signature.old-form",
            because: "Apple's document on the form of signatures names the version, which blocks, "
                + "and not the digest",
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
            because: "what cannot be compared never blocks by itself, and the pages cover the "
                + "section as well",
        ),
        Doubt(
            "a profile without TeamIdentifier",
            .warns,
            "profile.team-missing",
            because: "every profile since 2013 has one, so no device has been seen with a profile "
                + "that lacks it",
        ),
        Doubt(
            "a list claimed where the profile grants one text",
            .warns,
            "entitlement.type-differs",
            because: "the values fit; whether the comparison minds the type is not public",
        ),
        Doubt(
            "an extension without a profile of its own which the app's profile covers",
            .warns,
            "profile.missing",
            because: "a device takes any profile that it has; reports of both outcomes exist",
        ),
    ]

    private static let code: [Doubt] = [
        Doubt(
            "a main program that is a library",
            .warns,
            "code.not-a-program",
            because: "the kernel does not start it; whether the installer asks is not known",
        ),
        Doubt(
            "a program with a slice for another platform beside the one for devices",
            .warns,
            "code.foreign-slice",
            because: "the installer has an error for it (MIInstallerErrorDomain 198), and when it "
                + "looks was not to be seen",
        ),
        Doubt(
            "a program for arm64e alone, on an A12 or later",
            .warns,
            "code.late-processor",
            because: "older processors refuse it for certain (`device.processor-unsupported`); "
                + "before iOS 26 such programs were for Apple and for trying",
        ),
        Doubt(
            "a program whose last bytes are cut off, all of them padding",
            .blocks,
            "code.malformed",
            because: "`__LINKEDIT` and the signature's command reach beyond the file's end",
        ),
        Doubt(
            "a framework without CFBundleVersion",
            because: "the App Store refuses it (ITMS-90056), in apps that ran on devices before",
        ),
    ]

    private static let packages: [Doubt] = [
        Doubt(
            "a MinimumOSVersion that is no version, or no text",
            .warns,
            "info.minimum-os-invalid",
            because: "how the installer reads it is not public",
        ),
        Doubt(
            "an Info.plist for the simulator beside code for devices",
            .warns,
            "info.simulator-build",
            because: "the code decides which processor runs it; code for the simulator blocks",
        ),
        Doubt(
            "an Info.plist with a key twice",
            .warns,
            "info.repeated-key",
            because: "CoreFoundation keeps one of the values, and does not say which",
        ),
        Doubt(
            "an Info.plist in UTF-16",
            .warns,
            "info.encoding",
            because: "CoreFoundation reads it, and no tool writes it",
        ),
        Doubt(
            "an Info.plist in the old text form of NeXT",
            .blocks,
            "bundle.info-malformed",
            because:
                "CoreFoundation may read it; nothing that is written in it could be judged here",
        ),
        Doubt(
            "two frameworks of one identifier in an app",
            .blocks,
            "nested.identifier-duplicate",
            because: "the installer keeps one table of frameworks and extensions "
                + "(MIInstallerErrorDomain 57); frameworks inside extensions only warn",
        ),
        Doubt(
            "two App Clips in one app",
            .warns,
            "clip.several",
            because: "Apple's documents have one clip for each app, and no report tells of two",
        ),
    ]
}
