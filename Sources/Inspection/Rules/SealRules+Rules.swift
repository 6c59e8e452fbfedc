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
        mend: changeBefore,
        appleCode: "0xe8008017",
        causes: [14],
    )
    static let sealAdded = Rule(
        "seal.added",
        .blocks,
        "A file was added after signing",
        mend: "Take the file out, or put it in before signing.",
        appleCode: "0xe8008017",
        causes: [15],
    )
    static let sealMissing = Rule(
        "seal.missing",
        .blocks,
        "A sealed file is missing",
        mend: "Put the file back, or take it out before signing; tools that pack again may leave "
            + "files out.",
        appleCode: "0xe8008017",
        causes: [16],
    )
    static let sealLink = Rule(
        "seal.link",
        .blocks,
        "A symbolic link is not as it was sealed",
        mend: "Pack with zip -qry, which keeps links; artifact stores that unpack and pack again "
            + "make files of them.",
        appleCode: "0xe8008017",
        causes: [70],
    )
    static let sealAbsent = Rule(
        "seal.absent",
        .blocks,
        "There is no seal",
        mend: "Keep _CodeSignature when you pack, or sign again.",
        appleCode: "0xe8008017",
        causes: [18],
    )
    static let sealMalformed = Rule(
        "seal.malformed",
        .blocks,
        "The seal cannot be read",
        mend: "Sign again with codesign, or tell the authors of the tool that signed.",
        appleCode: "0xe8008017",
        causes: [18],
    )
    static let sealOld = Rule(
        "seal.old-form",
        .warns,
        "The seal is of an old form",
        mend: "Sign again with a current Xcode.",
        causes: [28],
    )
    static let sealUnclear = Rule(
        "seal.unclear",
        .warns,
        "The seal's rules cannot be followed",
        mend: "Sign again with codesign and without rules of your own.",
    )
}
