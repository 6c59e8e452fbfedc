import Zip

extension BrokenArchive {
    private static func flagged(_ rule: ZipRule, _ flag: UInt16) -> BrokenArchive {
        BrokenArchive(
            rule,
            "flag \(flag)",
            RawZip(RawEntry("a", "1").changing { $0.both { $0.flags |= flag } }),
        )
    }

    private static func method(_ method: UInt16) -> BrokenArchive {
        BrokenArchive(
            .unsupportedMethod,
            "method \(method)",
            RawZip(RawEntry("a", "1").changing { $0.both { $0.method = method } }),
        )
    }

    private static func deflated(
        _ rule: ZipRule,
        _ description: String,
        _ data: [UInt8],
        size: Int = 4,
    ) -> BrokenArchive {
        BrokenArchive(
            rule,
            description,
            RawZip(RawEntry("a", deflated: data, size: size, of: "1234")),
        )
    }

    /// Data that cannot be read, or differs from the directory.
    static let contents: [BrokenArchive] = [
        flagged(.encrypted, 1), flagged(.encrypted, 1 << 6), flagged(.encrypted, 1 << 13),
        flagged(.unsupportedMethod, 1 << 5),
        method(1), method(6), method(9), method(12), method(14), method(93), method(95),
        method(98), method(99),
        BrokenArchive(
            .multiDisk,
            "an entry on another disk",
            RawZip(RawEntry("a").changing { $0.disk = 1 }),
        ),
        BrokenArchive(
            .checksum,
            "one bit of a stored file",
            RawZip(RawEntry("a", "1234").changing { $0.data[0] ^= 1 }),
        ),
        deflated(.checksum, "other contents of the same size", deflateBlock("4321")),
        deflated(.sizeMismatch, "too short", deflateBlock("123"), size: 4),
        deflated(.sizeMismatch, "too long by one", deflateBlock("12345"), size: 4),
        deflated(.sizeMismatch, "much too long", deflateBlock("1234"), size: 1),
        deflated(.sizeMismatch, "no contents said", deflateBlock("1234"), size: 0),
        deflated(.corruptDeflate, "no deflate", [0xFF, 1, 2, 3]),
        deflated(.corruptDeflate, "ends early", Array(deflateBlock("1234").dropLast())),
        deflated(.corruptDeflate, "more behind its end", deflateBlock("1234") + [0]),
        BrokenArchive(
            .sizeMismatch,
            "a stored file of two sizes",
            RawZip(RawEntry("a", "1234").changing { $0.both { $0.size = 5 } }),
        ),
        BrokenArchive(.sizeMismatch, "a folder with contents", RawZip(RawEntry("a/", "1234"))),
    ]

    private static let large = RawZip(RawEntry("a", "1234"), RawEntry("b", "5678"))

    /// Sizes that exceed the limits.
    static let sizes: [BrokenArchive] = [
        deflated(.ratio, "more than deflate can hold", deflateBlock("1234"), size: 9 * 1032 + 1),
        BrokenArchive(
            .ratio,
            "an archive that unpacks to too many times its size",
            RawZip(RawEntry("a", deflated: deflateBlock("1234"), size: 9000, of: "1234")),
            limits: ZipLimits(ratio: 50, ratioFreeSize: 8000),
        ),
        BrokenArchive(.tooLarge, "one entry", large, limits: ZipLimits(entrySize: 3)),
        BrokenArchive(.tooLarge, "all entries", large, limits: ZipLimits(totalSize: 7)),
    ]

    private static func link(
        _ description: String,
        from path: String,
        to target: String,
    ) -> BrokenArchive {
        BrokenArchive(
            .escapingSymlink,
            description,
            RawZip(RawEntry(path, target).changing { $0.mode = 0o120755 }),
        )
    }

    /// Links that lead out of the bundle.
    static let links: [BrokenArchive] = [
        link("absolute", from: "Payload/X.app/a", to: "/etc/hosts"),
        link("into the payload", from: "Payload/X.app/a", to: "../b"),
        link("out of the archive", from: "Payload/X.app/a", to: "../../../b"),
        link("into another app", from: "Payload/X.app/B/a", to: "../../Y.app/a"),
        link("up after down", from: "Payload/X.app/a", to: "b/../../c"),
        link("in place of the app", from: "Payload/X.app", to: "Y.app"),
        link("in place of the payload", from: "Payload", to: "Other"),
        link("nowhere", from: "Payload/X.app/a", to: ""),
        link("with a NUL", from: "Payload/X.app/a", to: "b\0c"),
        link("long", from: "Payload/X.app/a", to: String(repeating: "a", count: 1025)),
    ]
}
