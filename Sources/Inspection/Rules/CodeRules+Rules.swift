extension Rule {
    static let code = [
        codeMalformed, codeEncrypted, codeSlices, codePlatform, codeLateProcessor,
        codeForeignSlice, codeMinimum, libraryMissing,
        libraryUnusable, codeNotProgram,
    ]

    static let codeMalformed = Rule(
        "code.malformed",
        .blocks,
        "The executable is not a Mach-O file",
        fix: "Build and export again; link static libraries instead of embedding them.",
        appleCode: "0xe800801c",
        causes: [.executableUnsigned, .nestedCodeBadlySigned],
    )
    static let codeEncrypted = Rule(
        "code.encrypted",
        .blocks,
        "The code is encrypted by the App Store",
        fix: "Export the app from your own archive; a copy from the App Store does not run "
            + "elsewhere.",
        appleCode: "0xe80000e3",
        causes: [.codeEncrypted],
    )
    static let codeSlices = Rule(
        "code.no-device-slice",
        .blocks,
        "The code is for processors that no device has",
        fix: "Build for devices with ARCHS at its default: arm64 for iOS.",
        appleCode: "0xe8000087",
        causes: [.architectureMissing],
    )
    static let codePlatform = Rule(
        "code.wrong-platform",
        .blocks,
        "The code is built for another platform",
        fix: "Archive for a device: xcodebuild archive -destination generic/platform=iOS.",
        appleCode: "0xe8000087",
        causes: [.codeForOtherPlatform],
    )
    static let codeLateProcessor = Rule(
        "code.late-processor",
        .warns,
        "The code is for newer processors only",
        fix: "Build for arm64 as well: ARCHS at its default.",
        appleCode: "0xe8000087",
        phone: .notNow,
        causes: [.architectureMissing],
    )
    static let codeForeignSlice = Rule(
        "code.foreign-slice",
        .warns,
        "The executable also has code for another platform",
        fix:
            "Export from an archive for generic/platform=iOS, or remove the slice with lipo before "
            + "signing.",
        phone: .notNow,
        causes: [.codeForOtherPlatform],
    )
    static let codeNotProgram = Rule(
        "code.not-a-program",
        .warns,
        "The executable is a library or another file that cannot be started",
        fix: "Set MACH_O_TYPE to mh_execute for the target, or name the right file in "
            + "CFBundleExecutable.",
        phone: .atLaunch,
    )
    static let codeMinimum = Rule(
        "code.newer-minimum",
        .warns,
        "The code needs a later version of iOS than Info.plist says",
        fix: "Set the same IPHONEOS_DEPLOYMENT_TARGET for all targets.",
        phone: .atLaunch,
        causes: [.extensionNeedsNewerOS],
    )
    static let libraryMissing = Rule(
        "code.library-missing",
        .warns,
        "A library that the code needs is not in the app",
        fix: "Embed the framework: Embed & Sign in the target's Frameworks, Libraries and "
            + "Embedded Content.",
        phone: .atLaunch,
    )
    static let libraryUnusable = Rule(
        "code.library-unusable",
        .warns,
        "A library in the app is not for the app's processors or platform",
        fix: "Embed the library's slice for devices, from an XCFramework.",
        phone: .atLaunch,
        causes: [.architectureMissing, .codeForOtherPlatform],
    )
}
