import Zip

extension BrokenArchive {
    private static func named(
        _ rule: ZipRule,
        _ description: String,
        _ names: String...,
    ) -> BrokenArchive {
        var zip = RawZip()
        zip.entries = names.map { RawEntry($0) }
        return BrokenArchive(rule, description, zip)
    }

    /// Paths that lead elsewhere, and paths that collide.
    static let names: [BrokenArchive] = [
        named(.unsafePath, "parent", "../a"),
        named(.unsafePath, "parent in the middle", "a/../../b"),
        named(.unsafePath, "parent at the end", "a/.."),
        named(.unsafePath, "parent as a folder", "../"),
        named(.unsafePath, "absolute", "/etc/passwd"),
        named(.unsafePath, "only a slash", "/"),
        named(.unsafePath, "backslash", "Payload\\X.app"),
        named(.unsafePath, "drive and backslash", "C:\\a"),
        named(.unsafePath, "NUL", "Info.plist\0.txt"),
        named(.unsafePath, "escape", "a\u{1B}[2J"),
        named(.unsafePath, "delete", "a\u{7F}"),
        named(.unsafePath, "second set of controls", "a\u{9B}b"),
        named(.unsafePath, "current folder", "./a"),
        named(.unsafePath, "current folder in the middle", "a/./b"),
        named(.unsafePath, "empty component", "a//b"),
        named(.unsafePath, "two slashes at the end", "a//"),
        named(.unsafePath, "long", String(repeating: "a", count: 1025)),
        named(.emptyName, "no name", ""),
        named(.duplicateEntry, "twice", "Payload/Info.plist", "Payload/Info.plist"),
        named(.duplicateEntry, "twice as a folder", "a/", "a/"),
        named(.duplicateEntry, "file and folder", "a", "a/"),
        named(.duplicateEntry, "folder and file", "a/", "a"),
        named(.duplicateEntry, "file above a file", "a", "a/b"),
        named(.duplicateEntry, "file above a file, later", "a/b", "a"),
        named(.duplicateEntry, "file above a file, far", "a/b/c/d", "a/b"),
        named(.caseCollision, "file", "Info.plist", "info.plist"),
        named(.caseCollision, "folder", "Payload/a", "payload/b"),
        named(.caseCollision, "file beside others", "P/a", "P/b", "P/A"),
        named(.caseCollision, "file beside others, far", "P/a", "Q/b", "P/A"),
        named(.duplicateEntry, "twice beside others", "P/a/b", "P/a/c", "P/a/b"),
        named(.duplicateEntry, "file above its neighbours", "P/a/b", "P/a/c", "P/a"),
        named(.duplicateEntry, "file and a folder beside it", "P/a", "P/b", "P/b/c"),
        named(.caseCollision, "kelvin sign in a folder", "P/k/a", "P/k/b", "P/\u{212A}/c"),
        named(.caseCollision, "folder of a folder", "P/A/a", "P/a/b"),
        named(.caseCollision, "file and folder", "A", "a/b"),
        named(.caseCollision, "composed and decomposed", "caf\u{E9}", "cafe\u{301}"),
        named(.caseCollision, "capital and decomposed", "CAF\u{C9}", "cafe\u{301}"),
        named(.caseCollision, "sharp s", "stra\u{DF}e", "STRASSE"),
        named(.caseCollision, "kelvin sign", "k", "\u{212A}"),
        named(.caseCollision, "long s", "s", "\u{17F}"),
        named(.caseCollision, "two sigmas", "\u{3C3}", "\u{3C2}"),
        BrokenArchive(
            .ambiguousName,
            "Latin-1",
            RawZip(RawEntry("a").changing { $0.both { $0.name = [0x63, 0xE9] } }),
        ),
        BrokenArchive(
            .ambiguousName,
            "overlong slash",
            RawZip(RawEntry("a").changing { $0.both { $0.name = [0x61, 0xC0, 0xAF] } }),
        ),
    ]

    private static func marked(
        _ description: String,
        _ name: String,
        _ change: (inout RawEntry) -> Void,
    ) -> BrokenArchive {
        BrokenArchive(.ambiguousKind, description, RawZip(RawEntry(name).changing(change)))
    }

    /// Names and attributes that contradict each other.
    static let kinds: [BrokenArchive] = [
        marked("a folder's mode without a slash", "a") { $0.mode = 0o040755 },
        marked("a file's mode with a slash", "a/") { $0.mode = 0o100644 },
        marked("a link's mode with a slash", "a/") { $0.mode = 0o120755 },
        marked("a device", "a") { $0.mode = 0o020644 },
        marked("a socket", "a") { $0.mode = 0o140644 },
        marked("a folder to DOS", "a") {
            $0.mode = 0; $0.dosAttributes = 0x10
        },
        marked("a link made by DOS", "P/X.app/a") {
            $0.mode = 0o120755; $0.host = 0
        },
    ]
}
