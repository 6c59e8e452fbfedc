extension Rule {
    static let signerNotInProfile = Rule(
        "signature.certificate-not-in-profile",
        .blocks,
        "The profile does not allow the signer's certificate",
        fix: "Select the certificate in the profile on Apple's developer site, or sign everything "
            + "with one that it has.",
        appleCode: "0xe8008015",
        causes: [.certificateNotInProfile, .nestedCodeOfOtherTeam],
    )
    static let signerOfOtherTeam = Rule(
        "signature.team-differs",
        .blocks,
        "The code is signed for another team",
        fix: "Sign everything in the app with certificates and profiles of one team.",
        appleCode: "0xe8008015",
        causes: [.nestedCodeOfOtherTeam],
    )
    static let signedIdentifier = Rule(
        "signature.identifier-differs",
        .blocks,
        "The code is signed under another identifier",
        fix: "Sign again without an identifier of your own: it is taken from CFBundleIdentifier.",
        appleCode: "0xe80000c5",
        causes: [.signedUnderOtherIdentifier],
    )
    static let noDEREntitlements = Rule(
        "signature.no-der-entitlements",
        .blocks,
        "There are no DER entitlements",
        fix: "Sign with Xcode 12.5 or later, or with codesign --generate-entitlement-der.",
        appleCode: "0xe8008029",
        causes: [.derEntitlementsMissing],
    )
    static let signatureOld = Rule(
        "signature.old-form",
        .blocks,
        "The code directory has an outdated format",
        fix: "Sign again with a current Xcode.",
        appleCode: "0xe8008029",
        causes: [.codeDirectoryOutdated],
    )
    static let signatureIrregular = Rule(
        "signature.irregular",
        .warns,
        "The signature has a form that Apple's tools do not write",
        fix:
            "Ignore it if it is only a note; otherwise sign again with codesign, or report it to "
            + "the authors of the signing tool.",
    )
    static let looseCode = Rule(
        "signature.loose-code",
        .warns,
        "Code outside any bundle is not signed correctly",
        fix: "Put libraries into Frameworks, where signing tools find them, and sign again.",
        phone: .atLaunch,
        causes: [.nestedCodeBadlySigned],
    )
    static let signatureUnproven = Rule(
        "signature.unproven",
        .blocks,
        "The signature could not be checked",
        fix: "Make the app smaller, check that the archive is readable, and validate again.",
    )
}
