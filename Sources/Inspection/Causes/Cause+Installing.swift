/// Reasons for which the installer refuses the package.
extension Cause {
    static let installing: [Cause] = [
        osTooOld, deviceFamilyUnsupported, architectureMissing, codeForOtherPlatform,
        variantForOtherModels, capabilityMissing, executableMissing, executableModeMissing,
        bundleIdentifierInvalid, bundleVersionMissing, shortVersionMissing,
        signedUnderOtherIdentifier, extensionIdentifierNotPrefixed, extensionIdentifierDotted,
        bundleIdentifierRepeated, identifierOfOtherApp, extensionDictionaryMissing,
        extensionPackageType, extensionPointUnsupported, extensionEntryMissing,
        extensionKindRepeated, siriKeysContradict, watchIdentifierNotPrefixed,
        watchCompanionDiffers, watchExtensionOfOtherApp, watchAppForOtherDevice,
        watchPartsMisplaced, watchKeyNotAllowed, symbolicLinkEscapes, archiveDamaged,
        archiveTooLargeWithoutZIP64, appMissing, symbolicLinksReplaced, storeMetadataOfOtherApp,
        applicationIdentifierChanged, systemIdentifier, deviceFull,
    ]

    static let osTooOld = Cause(38, "The device's iOS is too old", ["0xe800007e"])
    static let deviceFamilyUnsupported = Cause(
        39,
        "The app is not for this kind of device",
        ["0xe8000080"],
    )
    static let architectureMissing = Cause(
        40,
        "The app has no code for the device's processor",
        ["0xe8000087"],
    )
    static let codeForOtherPlatform = Cause(41, "The code is for another platform", ["0xe8000087"])
    static let variantForOtherModels = Cause(
        42,
        "The variant is thinned for other models",
        ["0xe80000c8", "0xe80000c9"],
    )
    static let capabilityMissing = Cause(43, "The device lacks a required capability")
    static let executableMissing = Cause(44, "The executable is missing", ["0xe800004b"])
    static let executableModeMissing = Cause(
        45,
        "The executable is not marked executable",
        ["0xe8000046"],
    )
    static let bundleIdentifierInvalid = Cause(
        46,
        "The bundle identifier is missing or invalid",
        ["0xe800004c"],
    )
    static let bundleVersionMissing = Cause(47, "CFBundleVersion is missing", ["0xe800009c"])
    static let shortVersionMissing = Cause(
        48,
        "CFBundleShortVersionString is missing",
        ["0xe80000ad"],
    )
    static let signedUnderOtherIdentifier = Cause(
        49,
        "The code is signed under another identifier",
        ["0xe80000c5"],
    )
    static let extensionIdentifierNotPrefixed = Cause(
        50,
        "An extension's identifier does not begin with the app's",
        ["0xe800009e"],
    )
    static let extensionIdentifierDotted = Cause(
        51,
        "An extension's identifier has another dot",
        ["0xe80000ca"],
    )
    static let bundleIdentifierRepeated = Cause(
        52,
        "Two bundles have the same identifier",
        ["0xe80000b0"],
    )
    static let identifierOfOtherApp = Cause(
        53,
        "The identifier belongs to another installed app",
        ["0xe80000cb", "0xe80000cc"],
    )
    static let extensionDictionaryMissing = Cause(
        54,
        "An extension has no NSExtension",
        ["0xe80000a0"],
    )
    static let extensionPackageType = Cause(
        55,
        "An extension's package type is not XPC!",
        ["0xe80000a1"],
    )
    static let extensionPointUnsupported = Cause(
        56,
        "An extension point is missing, unknown or too new",
        ["0xe80000a6", "0xe80000a7", "0xe80000b1"],
    )
    static let extensionEntryMissing = Cause(
        57,
        "An extension has neither a class nor a storyboard",
        ["0xe80000a2"],
    )
    static let extensionKindRepeated = Cause(
        58,
        "The app has several extensions of a kind that may exist once",
        ["0xe80000b2", "0xe80000e4", "0xe80000e5", "0xe80000e6"],
    )
    static let siriKeysContradict = Cause(
        59,
        "Keys of a Siri extension contradict one another",
        ["0xe80000dc", "0xe80000dd", "0xe80000de", "0xe80000df", "0xe80000e7"],
    )
    static let watchIdentifierNotPrefixed = Cause(
        60,
        "A watch app's identifier does not begin with the app's",
        ["0xe80000d9"],
    )
    static let watchCompanionDiffers = Cause(
        61,
        "A watch app names another companion",
        ["0xe80000d5"],
    )
    static let watchExtensionOfOtherApp = Cause(
        62,
        "A watch extension names another watch app",
        ["0xe80000c1"],
    )
    static let watchAppForOtherDevice = Cause(
        63,
        "A watch app is not for Apple Watch",
        ["0xe80000da"],
    )
    static let watchPartsMisplaced = Cause(
        64,
        "A watch app has missing, extra or misplaced parts",
        ["0xe80000cd", "0xe80000ce", "0xe80000cf", "0xe80000d0", "0xe80000d1"],
    )
    static let watchKeyNotAllowed = Cause(
        65,
        "A watch app's Info.plist has a key that is not allowed",
        ["0xe80000d6", "0xe80000d7"],
        .unknowable("Apple does not publish a list of the keys."),
    )
    static let symbolicLinkEscapes = Cause(
        66,
        "A symbolic link leads out of the bundle",
        ["0xe80000bf"],
    )
    static let archiveDamaged = Cause(
        67,
        "The file is not an archive, or is damaged",
        ["0xe8000050"],
    )
    static let archiveTooLargeWithoutZIP64 = Cause(
        68,
        "The archive is larger than 4 GiB without ZIP64",
        ["0xe8000050"],
    )
    static let appMissing = Cause(69, "There is no app in Payload", ["0xe8000051"])
    static let symbolicLinksReplaced = Cause(
        70,
        "Symbolic links were replaced by their targets",
        ["0xe8008017"],
    )
    static let storeMetadataOfOtherApp = Cause(
        71,
        "iTunesMetadata.plist belongs to another app",
        ["0xe80000c4", "0xe80000c3"],
    )
    static let applicationIdentifierChanged = Cause(
        72,
        "An upgrade changes the application identifier",
        ["0xe80000be"],
    )
    static let systemIdentifier = Cause(
        73,
        "The identifier belongs to the system",
        ["0xe8000036", "0xe800009d", "0xe8000097"],
    )
    static let deviceFull = Cause(
        74,
        "The device is full",
        ["0xe80000c0", "0xe80000db"],
        .unknowable("only the phone knows; the install page shows the size."),
    )
}
