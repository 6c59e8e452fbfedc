/// The rules about Info.plist.
extension Rule {
    static let info =
        [
            identifierMissing, identifierInvalid, identifierCharacters, versionMissing,
            buildMissing, versionCharacters, versionForm, simulatorBuild, wrongPlatform, wrongType,
            repeatedKey, infoEncoding, minimumOSInvalid, packageType,
        ] + infoDevices

    static let identifierMissing = Rule(
        "info.identifier-missing",
        .blocks,
        "Info.plist has no bundle identifier",
        fix: "Set PRODUCT_BUNDLE_IDENTIFIER in the target's build settings and build again.",
        appleCode: "0xe800004c",
        causes: [.bundleIdentifierInvalid],
    )
    static let identifierInvalid = Rule(
        "info.identifier-invalid",
        .blocks,
        "The bundle identifier has characters that are not allowed",
        fix: "Correct PRODUCT_BUNDLE_IDENTIFIER (letters, digits, hyphens and dots) and build "
            + "again.",
        appleCode: "0xe800004c",
        causes: [.bundleIdentifierInvalid],
    )
    static let identifierCharacters = Rule(
        "info.identifier-characters",
        .warns,
        "The bundle identifier has an underscore",
        fix: "Nothing, if the App ID has it too; the App Store accepts only letters, digits, "
            + "hyphens and dots.",
        causes: [.bundleIdentifierInvalid],
    )
    static let versionMissing = Rule(
        "info.version-missing",
        .blocks,
        "Info.plist has no version",
        fix: "Set MARKETING_VERSION in the target's build settings and build again.",
        appleCode: "0xe80000ad",
        causes: [.shortVersionMissing],
    )
    static let buildMissing = Rule(
        "info.build-missing",
        .blocks,
        "Info.plist has no build number",
        fix: "Set CURRENT_PROJECT_VERSION in the target's build settings and build again.",
        appleCode: "0xe800009c",
        causes: [.bundleVersionMissing],
    )
    static let versionCharacters = Rule(
        "info.version-characters",
        .warns,
        "The version or build number has invisible characters",
        fix: "Correct MARKETING_VERSION and CURRENT_PROJECT_VERSION and build again.",
    )
    static let versionForm = Rule(
        "info.version-form",
        .notes,
        "The version or build number is not one to three integers",
        fix: "Set MARKETING_VERSION and CURRENT_PROJECT_VERSION to numbers such as 1.2.3.",
    )
    static let simulatorBuild = Rule(
        "info.simulator-build",
        .blocks,
        "The app was built for the simulator",
        fix: "Archive for a device: xcodebuild archive -destination generic/platform=iOS.",
        appleCode: "0xe8000087",
        causes: [.codeForOtherPlatform],
    )
    static let wrongPlatform = Rule(
        "info.wrong-platform",
        .warns,
        "The app was built for another platform",
        fix: "Archive for iOS: xcodebuild archive -destination generic/platform=iOS.",
        causes: [.codeForOtherPlatform],
    )
    static let wrongType = Rule(
        "info.wrong-type",
        .warns,
        "A key of Info.plist has a value of the wrong type",
        fix: "Correct the key in the target's Info.plist and build again.",
    )
    static let repeatedKey = Rule(
        "info.repeated-key",
        .warns,
        "Info.plist has a key twice",
        fix: "Remove one of the two from the target's Info.plist and build again.",
    )
    static let infoEncoding = Rule(
        "info.encoding",
        .warns,
        "Info.plist is not UTF-8",
        fix: "Save the file as UTF-8 (plutil -convert xml1) and build again.",
    )
    static let minimumOSInvalid = Rule(
        "info.minimum-os-invalid",
        .warns,
        "The minimum version of iOS cannot be read",
        fix: "Set IPHONEOS_DEPLOYMENT_TARGET to a version such as 15.0 and build again.",
    )
    static let packageType = Rule(
        "info.package-type",
        .warns,
        "The app's package type is not APPL",
        fix: "Remove CFBundlePackageType from the target's Info.plist, or set it to APPL.",
    )
}
