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
        mend: signAgain,
        phone: .atLaunch,
    )
    static let signatureMissing = Rule(
        "signature.missing",
        .blocks,
        "The code is not signed",
        mend: "Export from a signed archive; CODE_SIGNING_ALLOWED must not be NO.",
        appleCode: "0xe800801c",
        causes: [20, 21],
    )
    static let signatureMalformed = Rule(
        "signature.malformed",
        .blocks,
        "The signature is malformed",
        mend: signAgain,
        appleCode: "0xe8008014",
        causes: [30, 21],
    )
    static let signaturePageSize = Rule(
        "signature.page-size",
        .blocks,
        "The signature uses a page size that no device supports",
        mend: "Sign with pages of 4096 bytes, the default of codesign.",
        appleCode: "0xe8008014",
        causes: [31],
    )
    static let signatureAdHoc = Rule(
        "signature.ad-hoc",
        .blocks,
        "The code is signed ad hoc",
        mend: "Sign with a certificate of your team; the identity - signs ad hoc, for simulators "
            + "only.",
        appleCode: "0xe8008014",
        causes: [22, 21],
    )
    static let messageInvalid = Rule(
        "signature.message-invalid",
        .blocks,
        "The signed message is invalid",
        mend: signAgain,
        appleCode: "0xe8008014",
        causes: [22, 21],
    )
    static let chainIncomplete = Rule(
        "signature.chain-incomplete",
        .blocks,
        "The certificate of the signer's issuer is not in the signature",
        mend: "Install Apple's current Worldwide Developer Relations certificate where you sign, "
            + "and sign again.",
        appleCode: "0xe8008018",
        causes: [80],
    )
    static let untrustedSigner = Rule(
        "signature.untrusted",
        .blocks,
        "The signer's certificate does not come from Apple",
        mend: "Sign with a certificate from Apple's developer site.",
        appleCode: "0xe8008018",
        causes: [23],
    )
    static let signerPolicy = Rule(
        "signature.signer-policy",
        .blocks,
        "The signer's certificate is not one for apps",
        mend: "Sign with an Apple Development or Apple Distribution certificate.",
        appleCode: "0xe8008018",
        causes: [23],
    )
    static let hashesContradicted = Rule(
        "signature.hash-mismatch",
        .blocks,
        "The signer signed different code",
        mend: signAgain,
        appleCode: "0xe800800f",
        causes: [26],
    )
    static let pagesChanged = Rule(
        "signature.pages-changed",
        .blocks,
        "The code was changed after it was signed",
        mend: signAgain,
        appleCode: "0xe8008014",
        causes: [19, 21],
    )
    static let blobChanged = Rule(
        "signature.part-changed",
        .blocks,
        "A part of the signature was changed after signing",
        mend: signAgain,
        appleCode: "0xe8008014",
        causes: [30],
    )
    static let programExchanged = Rule(
        "signature.program-exchanged",
        .blocks,
        "The executable is not the one that the bundle was signed with",
        mend: "Restore the original executable, or sign the whole app again.",
        appleCode: "0xe8008017",
        causes: [17, 18, 19],
    )
    static let infoChanged = Rule(
        "signature.info-changed",
        .blocks,
        "Info.plist was changed after signing",
        mend: "Change Info.plist before signing: in a build phase, or sign the app again.",
        appleCode: "0xe8008017",
        causes: [17],
    )
    static let sealChanged = Rule(
        "signature.seal-changed",
        .blocks,
        "The seal was changed after signing",
        mend: signAgain,
        appleCode: "0xe8008017",
        causes: [18],
    )
    static let signatureUncovered = Rule(
        "signature.uncovered",
        .warns,
        "The signature does not cover everything it should",
        mend: signAgain,
        causes: [17, 18],
    )
}
