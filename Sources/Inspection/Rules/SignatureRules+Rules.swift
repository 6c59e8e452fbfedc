extension Rule {
    static let signature = [
        signatureMissing, signatureMalformed, signaturePageSize, signatureAdHoc, messageInvalid,
        chainIncomplete, untrustedSigner, signerPolicy, hashesContradicted, pagesChanged,
        blobChanged, programExchanged, infoChanged, sealChanged, signatureUncovered,
        signerNotInProfile,
        signerOfOtherTeam, signedIdentifier, noDEREntitlements, signatureOld, signatureIrregular,
        looseCode, signatureUnproven, signatureNotMain,
    ]

    private static let signAgain =
        "Sign everything again after the last change, nested code first: export from the archive, "
        + "or use a tool that signs the whole app."

    static let signatureNotMain = Rule(
        "signature.not-main-binary",
        .warns,
        "An executable is signed as a library",
        fix: signAgain,
        phone: .atLaunch,
    )
    static let signatureMissing = Rule(
        "signature.missing",
        .blocks,
        "The code is not signed",
        fix: "Export from a signed archive; CODE_SIGNING_ALLOWED must not be NO.",
        appleCode: "0xe800801c",
        causes: [.executableUnsigned, .nestedCodeBadlySigned],
    )
    static let signatureMalformed = Rule(
        "signature.malformed",
        .blocks,
        "The signature is malformed",
        fix: signAgain,
        appleCode: "0xe8008014",
        causes: [.signatureMalformed, .nestedCodeBadlySigned],
    )
    static let signaturePageSize = Rule(
        "signature.page-size",
        .blocks,
        "The signature uses a page size that no device supports",
        fix: "Sign with pages of 4096 bytes, the default of codesign.",
        appleCode: "0xe8008014",
        causes: [.pageSizeUnknown],
    )
    static let signatureAdHoc = Rule(
        "signature.ad-hoc",
        .blocks,
        "The code is signed ad hoc",
        fix: "Sign with a certificate of your team; the identity “-” signs ad hoc, for "
            + "simulators only.",
        appleCode: "0xe8008014",
        causes: [.signatureInvalid, .nestedCodeBadlySigned],
    )
    static let messageInvalid = Rule(
        "signature.message-invalid",
        .blocks,
        "The signed message is invalid",
        fix: signAgain,
        appleCode: "0xe8008014",
        causes: [.signatureInvalid, .nestedCodeBadlySigned],
    )
    static let chainIncomplete = Rule(
        "signature.chain-incomplete",
        .blocks,
        "The certificate of the signer's issuer is not in the signature",
        fix: "Install Apple's current Worldwide Developer Relations certificate where you sign, "
            + "and sign again.",
        appleCode: "0xe8008018",
        causes: [.intermediateCertificateMissing],
    )
    static let untrustedSigner = Rule(
        "signature.untrusted",
        .blocks,
        "The signer's certificate does not come from Apple",
        fix: "Sign with a certificate from Apple's developer site.",
        appleCode: "0xe8008018",
        causes: [.chainNotFromApple],
    )
    static let signerPolicy = Rule(
        "signature.signer-policy",
        .blocks,
        "The signer's certificate cannot sign apps",
        fix: "Sign with an Apple Development or Apple Distribution certificate.",
        appleCode: "0xe8008018",
        causes: [.chainNotFromApple],
    )
    static let hashesContradicted = Rule(
        "signature.hash-mismatch",
        .blocks,
        "The signer signed different code",
        fix: signAgain,
        appleCode: "0xe800800f",
        causes: [.otherCodeSigned],
    )
    static let pagesChanged = Rule(
        "signature.pages-changed",
        .blocks,
        "The code was changed after it was signed",
        fix: signAgain,
        appleCode: "0xe8008014",
        causes: [.codeChanged, .nestedCodeBadlySigned],
    )
    static let blobChanged = Rule(
        "signature.part-changed",
        .blocks,
        "A part of the signature was changed after signing",
        fix: signAgain,
        appleCode: "0xe8008014",
        causes: [.signatureMalformed],
    )
    static let programExchanged = Rule(
        "signature.program-exchanged",
        .blocks,
        "The executable is not the one that the bundle was signed with",
        fix: "Restore the original executable, or sign the whole app again.",
        appleCode: "0xe8008017",
        causes: [.infoPlistChanged, .sealChanged, .codeChanged],
    )
    static let infoChanged = Rule(
        "signature.info-changed",
        .blocks,
        "Info.plist was changed after signing",
        fix: "Change Info.plist before signing: in a build phase, or sign the app again.",
        appleCode: "0xe8008017",
        causes: [.infoPlistChanged],
    )
    static let sealChanged = Rule(
        "signature.seal-changed",
        .blocks,
        "The seal was changed after signing",
        fix: signAgain,
        appleCode: "0xe8008017",
        causes: [.sealChanged],
    )
    static let signatureUncovered = Rule(
        "signature.uncovered",
        .warns,
        "The signature does not cover everything it should",
        fix: signAgain,
        causes: [.infoPlistChanged, .sealChanged],
    )
}
