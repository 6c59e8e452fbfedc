extension Rule {
    static let entitlement = [
        notGranted, managed, debuggable, onLibrary, malformed, formsDiffer, slicesDiffer,
        derIrregular, typeDiffers, schemesMissing,
    ]

    static let notGranted = Rule(
        "entitlement.not-granted",
        .blocks,
        "The profile does not grant what the code claims",
        fix: "Add the capability to the App ID on Apple's developer site, create a new profile "
            + "and export with it, or remove the entitlement from the target.",
        appleCode: "0xe8008016",
        causes: [.entitlementNotGranted],
    )
    static let managed = Rule(
        "entitlement.managed",
        .blocks,
        "The code claims an entitlement that Apple grants only on request",
        fix: "Ask Apple to grant the capability to the account, add it to the App ID, then make a "
            + "new profile and export with it; or remove the entitlement from the target.",
        appleCode: "0xe8008016",
        causes: [.entitlementNotGranted],
    )
    static let debuggable = Rule(
        "entitlement.debuggable",
        .blocks,
        "The code allows debugging, but the profile does not",
        fix: "Export again with xcodebuild -exportArchive, which signs without get-task-allow for "
            + "distribution, or use a development profile.",
        appleCode: "0xe8008016",
        causes: [.debuggingUnderDistribution],
    )
    static let onLibrary = Rule(
        "entitlement.on-library",
        .blocks,
        "A framework or library is signed with entitlements",
        fix: "Sign frameworks and libraries without --entitlements; only executables have them.",
        appleCode: "0xe8008016",
        causes: [.libraryWithEntitlements],
    )
    static let malformed = Rule(
        "entitlement.malformed",
        .blocks,
        "The entitlements of the code cannot be read",
        fix: "Correct the entitlements file (plutil -lint) and sign again with Xcode or codesign.",
        appleCode: "0xe8008016",
        causes: [.entitlementNotGranted],
    )
    static let formsDiffer = Rule(
        "entitlement.forms-differ",
        .warns,
        "The two forms of the entitlements do not agree",
        fix: "Sign again with Xcode or codesign, which write both forms from one file.",
        appleCode: "0xe8008016",
        causes: [.entitlementFormsDiffer],
    )
    static let slicesDiffer = Rule(
        "entitlement.slices-differ",
        .warns,
        "The architectures of an executable claim different entitlements",
        fix: "Sign the universal file as a whole, not each architecture separately.",
    )
    static let derIrregular = Rule(
        "entitlement.der-irregular",
        .warns,
        "The DER entitlements differ from what Apple's tools write",
        fix: "Sign again with Xcode or codesign, or report it to the authors of the signing tool.",
        causes: [.entitlementFormsDiffer],
    )
    static let typeDiffers = Rule(
        "entitlement.type-differs",
        .warns,
        "The code claims a list where the profile grants a string",
        fix: "Make the entitlement a string in the target's entitlements file and sign again.",
        causes: [.entitlementNotGranted],
    )
    static let schemesMissing = Rule(
        "entitlement.schemes-missing",
        .warns,
        "A default browser or mail app lacks the required URL schemes",
        fix: "Add http and https, or mailto, to CFBundleURLTypes in the app's Info.plist.",
    )
}
