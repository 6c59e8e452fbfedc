extension Rule {
    static let seal = [
        sealModified, sealAdded, sealMissing, sealLink, sealAbsent, sealMalformed, sealOld,
        sealUnclear,
    ]

    private static let changeBefore =
        "Change files before signing, or sign the app and everything around the file again."

    static let sealModified = Rule(
        "seal.modified",
        .blocks,
        "A file was changed after signing",
        fix: changeBefore,
        appleCode: "0xe8008017",
        causes: [.sealedFileChanged],
    )
    static let sealAdded = Rule(
        "seal.added",
        .blocks,
        "A file was added after signing",
        fix: "Remove the file, or add it before signing.",
        appleCode: "0xe8008017",
        causes: [.unsealedFileAdded],
    )
    static let sealMissing = Rule(
        "seal.missing",
        .blocks,
        "A sealed file is missing",
        fix: "Restore the file, or remove it before signing; tools that repack may leave files "
            + "out.",
        appleCode: "0xe8008017",
        causes: [.sealedFileMissing],
    )
    static let sealLink = Rule(
        "seal.link",
        .blocks,
        "A symbolic link was changed after signing",
        fix: "Pack with zip -qry, which keeps links; artifact stores that repack replace them "
            + "with files.",
        appleCode: "0xe8008017",
        causes: [.symbolicLinksReplaced],
    )
    static let sealAbsent = Rule(
        "seal.absent",
        .blocks,
        "The seal is missing",
        fix: "Keep _CodeSignature when you pack, or sign again.",
        appleCode: "0xe8008017",
        causes: [.sealChanged],
    )
    static let sealMalformed = Rule(
        "seal.malformed",
        .blocks,
        "The seal cannot be read",
        fix: "Sign again with codesign, or report it to the authors of the signing tool.",
        appleCode: "0xe8008017",
        causes: [.sealChanged],
    )
    static let sealOld = Rule(
        "seal.old-form",
        .warns,
        "The seal has an outdated format",
        fix: "Sign again with a current Xcode.",
        causes: [.codeDirectoryOutdated],
    )
    static let sealUnclear = Rule(
        "seal.unclear",
        .warns,
        "The seal's rules cannot be evaluated",
        fix: "Sign again with codesign, without custom resource rules.",
    )
}
