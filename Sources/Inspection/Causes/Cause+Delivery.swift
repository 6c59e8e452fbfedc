/// Failures between server and phone, and after the installation.
extension Cause {
    static let delivery: [Cause] = [
        manifestIdentifierDiffers, linkNotSecure, manifestTitleEmpty, developerModeOff,
        extensionNeedsNewerOS, intermediateCertificateMissing, appClipMisplaced,
        browserEngineEntitlements,
    ]

    static let manifestIdentifierDiffers = Cause(
        75,
        "The manifest names another bundle identifier",
        [],
        .elsewhere("`ota` takes it from the build; `ota doctor` compares both."),
    )
    static let linkNotSecure = Cause(
        76,
        "A link is not HTTPS, or its certificate is not trusted",
        [],
        .elsewhere("`ota serve` makes only HTTPS links; `ota doctor` tries them as a phone."),
    )
    static let manifestTitleEmpty = Cause(
        77,
        "The manifest's title is empty",
        [],
        .elsewhere("`ota` makes a title if the build has none; `ota doctor` checks it."),
    )
    static let developerModeOff = Cause(78, "Developer Mode is off")
    static let extensionNeedsNewerOS = Cause(79, "An extension needs a newer iOS than the app")
    static let intermediateCertificateMissing = Cause(
        80,
        "An intermediate certificate is missing or too old",
        ["0xe8008018", "0xe8008019"],
    )
    static let appClipMisplaced = Cause(81, "An App Clip does not belong to its app")
    static let browserEngineEntitlements = Cause(
        82,
        "A browser engine extension does not match its entitlements",
    )
}
