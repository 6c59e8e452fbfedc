/// Reasons for which a phone rejects the profile, the signature or the entitlements.
extension Cause {
    static let signing: [Cause] = [
        deviceNotInProfile, profileExpired, profileSignatureInvalid, profileUnreadable,
        profileForOtherPlatform, profileMissing, applicationIdentifierNotInProfile,
        certificateNotInProfile, nestedCodeOfOtherTeam, entitlementNotGranted,
        libraryWithEntitlements, debuggingUnderDistribution, applicationIdentifierMissing,
        sealedFileChanged, unsealedFileAdded, sealedFileMissing, infoPlistChanged, sealChanged,
        codeChanged, executableUnsigned, nestedCodeBadlySigned, signatureInvalid, chainNotFromApple,
        certificateExpired, certificateRevoked, otherCodeSigned, derEntitlementsMissing,
        codeDirectoryOutdated, entitlementFormsDiffer, signatureMalformed, pageSizeUnknown,
        signedForAppStore, inHouseTeamNotTrusted, profileBannedOrUnchecked, freeAccountLimit,
        testFlightBuild, codeEncrypted,
    ]

    static let deviceNotInProfile = Cause(
        1,
        "The device is not in the profile",
        ["0xe8008012", "0xe8008015"],
    )
    static let profileExpired = Cause(2, "The profile has expired", ["0xe8008011", "0xe8008015"])
    static let profileSignatureInvalid = Cause(
        3,
        "The profile's signature is not valid",
        ["0xe8008004", "0xe800800e", "0xe8008013", "0xe800801a"],
    )
    static let profileUnreadable = Cause(
        4,
        "The profile cannot be read or lacks keys",
        ["0xe8008003", "0xe8008005", "0xe8008006", "0xe8008007", "0xe8008008"],
    )
    static let profileForOtherPlatform = Cause(
        5,
        "The profile is for another platform",
        ["0xe8008010"],
    )
    static let profileMissing = Cause(6, "There is no profile", ["0xe8008015"])
    static let applicationIdentifierNotInProfile = Cause(
        7,
        "The application identifier is not the profile's",
        ["0xe8008015"],
    )
    static let certificateNotInProfile = Cause(
        8,
        "The signer's certificate is not in the profile",
        ["0xe8008015"],
    )
    static let nestedCodeOfOtherTeam = Cause(
        9,
        "Nested code is signed by another team",
        ["0xe8008015"],
    )
    static let entitlementNotGranted = Cause(
        10,
        "An entitlement is not granted by the profile",
        ["0xe8008016"],
    )
    static let libraryWithEntitlements = Cause(
        11,
        "A framework or library has entitlements",
        ["0xe8008016"],
    )
    static let debuggingUnderDistribution = Cause(
        12,
        "Debugging is allowed under a distribution profile",
        ["0xe8008016"],
    )
    static let applicationIdentifierMissing = Cause(
        13,
        "The application-identifier entitlement is missing",
        ["0xe8008015"],
    )
    static let sealedFileChanged = Cause(14, "A sealed file was changed", ["0xe8008017"])
    static let unsealedFileAdded = Cause(15, "A file was added that is not sealed", ["0xe8008017"])
    static let sealedFileMissing = Cause(16, "A sealed file is missing", ["0xe8008017"])
    static let infoPlistChanged = Cause(
        17,
        "Info.plist was changed after signing",
        ["0xe8008017", "0xe8008014"],
    )
    static let sealChanged = Cause(
        18,
        "The seal itself was changed",
        ["0xe8008017", "0xe8008014"],
    )
    static let codeChanged = Cause(
        19,
        "Code was changed after signing",
        ["0xe8008014", "0xe8008019"],
    )
    static let executableUnsigned = Cause(20, "The executable is not signed", ["0xe800801c"])
    static let nestedCodeBadlySigned = Cause(
        21,
        "Nested code is unsigned or badly signed",
        ["0xe800801c", "0xe8008019"],
    )
    static let signatureInvalid = Cause(
        22,
        "The signature is ad hoc or not valid",
        ["0xe8008014", "0xe8008019", "0xe8008009"],
    )
    static let chainNotFromApple = Cause(
        23,
        "The signer's chain does not end at Apple's root",
        ["0xe8008001", "0xe8008018", "0xe8008019"],
    )
    static let certificateExpired = Cause(
        24,
        "The signer's certificate has expired",
        ["0xe8008018"],
    )
    static let certificateRevoked = Cause(
        25,
        "The signer's certificate is revoked",
        ["0xe8008018"],
        .unknowable("only Apple's responder knows; the build does not say."),
    )
    static let otherCodeSigned = Cause(26, "The signer signed different code", ["0xe800800f"])
    static let derEntitlementsMissing = Cause(
        27,
        "There are no DER entitlements, and iOS is 15 or later",
        ["0xe8008029"],
    )
    static let codeDirectoryOutdated = Cause(
        28,
        "The code directory has an outdated format",
        ["0xe8008029"],
    )
    static let entitlementFormsDiffer = Cause(
        29,
        "XML and DER entitlements differ",
        ["0xe8008016", "0xe8008014"],
    )
    static let signatureMalformed = Cause(
        30,
        "The signature is malformed",
        ["EBADEXEC", "0xe8008014"],
    )
    static let pageSizeUnknown = Cause(
        31,
        "The signature's pages have an unknown size",
        ["EBADEXEC"],
    )
    static let signedForAppStore = Cause(
        32,
        "The build is signed for the App Store",
        ["0xe8008015"],
    )
    static let inHouseTeamNotTrusted = Cause(
        33,
        "The tester must trust an In-House team",
        ["0xe8008025"],
    )
    static let profileBannedOrUnchecked = Cause(
        34,
        "Apple banned the profile, or the device must check it online",
        ["0xe8008024", "0xe8008026"],
    )
    static let freeAccountLimit = Cause(
        35,
        "A free account's app limit is reached",
        ["0xe8008021"],
    )
    static let testFlightBuild = Cause(
        36,
        "A TestFlight build outside TestFlight",
        ["0xe800801f", "0xe8008020"],
    )
    static let codeEncrypted = Cause(
        37,
        "The code is encrypted for one App Store account",
        ["0xe80000e3", "0xe8000038"],
    )
}
