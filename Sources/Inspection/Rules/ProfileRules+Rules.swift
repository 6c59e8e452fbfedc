extension Rule {
    static let profile =
        [
            profileMissing, profileMalformed, profileUnverified, privateAuthority, appStore,
            testFlight, enterprise, developerMode, profilePlatform, noDevices, devicesUnreadable,
            profileTeamMissing, noCertificates, secondSignatureRefused, secondFormMissing,
            secondFormDiffers,
            freeAccount, onlineCheck,
        ] + datedProfile

    static let profileMissing = Rule(
        "profile.missing",
        .blocks,
        "No provisioning profile",
        fix: "Export with xcodebuild -exportArchive and an Ad Hoc (release-testing), development "
            + "or enterprise method; it embeds the profiles.",
        appleCode: "0xe8008015",
        causes: [.profileMissing],
    )
    static let profileMalformed = Rule(
        "profile.malformed",
        .blocks,
        "The provisioning profile cannot be read",
        fix: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again.",
        appleCode: "0xe8008003",
        causes: [.profileUnreadable],
    )
    static let profileUnverified = Rule(
        "profile.unverified",
        .blocks,
        "The provisioning profile's signature is not accepted",
        fix: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again; do not edit the file.",
        appleCode: "0xe8008004",
        causes: [.profileSignatureInvalid],
    )
    static let privateAuthority = Rule(
        "profile.private-authority",
        .warns,
        "The provisioning profile is signed by a private authority",
        fix: "Use it for tests only; for real devices, sign with a profile from Apple.",
        appleCode: "0xe8008004",
        causes: [.profileSignatureInvalid],
    )
    static let appStore = Rule(
        "profile.app-store",
        .blocks,
        "The build is signed for the App Store",
        fix: "Export again with the Ad Hoc method (release-testing in ExportOptions.plist).",
        appleCode: "0xe8008015",
        phone: .notNow,
        causes: [.signedForAppStore],
    )
    static let testFlight = Rule(
        "profile.testflight",
        .blocks,
        "The build is signed for TestFlight",
        fix: "Export again with the Ad Hoc method (release-testing in ExportOptions.plist), or "
            + "distribute it with TestFlight.",
        appleCode: "0xe800801f",
        causes: [.testFlightBuild],
    )
    static let enterprise = Rule(
        "profile.enterprise",
        .notes,
        "The build is In-House and must be trusted once",
        fix: "Tell testers to go online, open Settings › General › VPN & Device Management, tap "
            + "the company and Trust; on iOS 18 and later also Allow & Restart.",
        appleCode: "0xe8008025",
        phone: .atLaunch,
        causes: [.inHouseTeamNotTrusted],
    )
    static let developerMode = Rule(
        "profile.developer-mode",
        .notes,
        "The device may ask for Developer Mode",
        fix: "Tell testers to turn on Settings › Privacy & Security › Developer Mode and restart.",
        phone: .atLaunch,
        causes: [.developerModeOff],
    )
    static let profilePlatform = Rule(
        "profile.wrong-platform",
        .blocks,
        "The provisioning profile is for another platform",
        fix: "Create an Ad Hoc profile for iOS and export again with it.",
        appleCode: "0xe8008010",
        causes: [.profileForOtherPlatform],
    )
    static let profileTeamMissing = Rule(
        "profile.team-missing",
        .warns,
        "The provisioning profile names no team",
        fix: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again.",
        causes: [.profileUnreadable],
    )
    static let noDevices = Rule(
        "profile.no-devices",
        .blocks,
        "The provisioning profile lists no devices",
        fix: "Register the testers' devices, select them in the profile, download it and export "
            + "again.",
        appleCode: "0xe8008012",
        causes: [.deviceNotInProfile],
    )
    static let devicesUnreadable = Rule(
        "profile.devices-unreadable",
        .notes,
        "Some entries in the device list are not device identifiers",
        fix: "Remove these entries from the device list on Apple's developer site.",
    )
    static let noCertificates = Rule(
        "profile.no-certificates",
        .blocks,
        "The provisioning profile allows no certificate",
        fix: "Select a valid distribution certificate in the profile, download it and export "
            + "again.",
        appleCode: "0xe8008015",
        causes: [.certificateNotInProfile],
    )
    static let secondSignatureRefused = Rule(
        "profile.second-signature-refused",
        .blocks,
        "The provisioning profile's second signature is not accepted",
        fix: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again; do not edit the file.",
        appleCode: "0xe8008004",
        causes: [.profileSignatureInvalid],
    )
    static let secondFormMissing = Rule(
        "profile.second-form-missing",
        .blocks,
        "The provisioning profile lacks the DER form that iOS 15 and later read",
        fix: "Create the profile again on Apple's developer site, download it and export again.",
        appleCode: "0xe8008015",
        causes: [.profileSignatureInvalid],
    )
    static let secondFormDiffers = Rule(
        "profile.second-form-differs",
        .warns,
        "The provisioning profile's two forms do not agree",
        fix: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again.",
        causes: [.profileSignatureInvalid],
    )
    static let freeAccount = Rule(
        "profile.free-account",
        .warns,
        "The provisioning profile belongs to a free account",
        fix: "Use it for your own device only; for testers, sign with the profile of a paid "
            + "membership.",
        appleCode: "0xe8008021",
        causes: [.freeAccountLimit],
    )
    static let onlineCheck = Rule(
        "profile.online-check",
        .notes,
        "The device checks the provisioning profile with Apple",
        fix: "Tell testers to be online when they open the app for the first time.",
        appleCode: "0xe8008026",
        causes: [.profileBannedOrUnchecked],
    )
}
