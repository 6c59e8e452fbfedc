import Zip

extension BrokenArchive {
    private static let whole = RawZip(RawEntry("a", "1"), RawEntry("b", "2"))

    /// End records, counts, and bytes that belong to nothing.
    static let structure: [BrokenArchive] = [
        BrokenArchive(.notAnArchive, "nothing", bytes: []),
        BrokenArchive(
            .gitPointer,
            "what Git LFS keeps in its place",
            bytes: Array("version https://git-lfs.github.com/spec/v1\nsize 12345\n".utf8),
        ),
        BrokenArchive(.notAnArchive, "a page", bytes: Array("<!doctype html>".utf8)),
        BrokenArchive(.truncated, "no end record", bytes: Array(whole.bytes().dropLast(22))),
        BrokenArchive(.truncated, "half an end record", bytes: Array(whole.bytes().dropLast(10))),
        BrokenArchive(
            .truncated,
            "a comment cut short",
            bytes: Array(whole.with { $0.comment = [1, 2, 3] }.bytes().dropLast()),
        ),
        BrokenArchive(
            .truncated,
            "a directory that reaches beyond its end record",
            whole.with { $0.directorySizeError = 1 },
        ),
        BrokenArchive(.trailingData, "one byte more", whole.with { $0.trailing = [0] }),
        BrokenArchive(
            .severalEnds,
            "an end record in the comment",
            whole.with { $0.comment = RawZip().bytes() },
        ),
        BrokenArchive(
            .severalEnds,
            "two archives behind each other, the second in the comment of the first",
            whole.with { $0.comment = RawZip(RawEntry("evil", "2")).bytes() },
        ),
        BrokenArchive(
            .prefixData,
            "a stub that the offsets know of",
            whole.with { $0.prefix = [1, 2, 3] },
        ),
        BrokenArchive(
            .prefixData,
            "a stub that the offsets do not know of",
            bytes: [1, 2, 3] + whole.bytes(),
        ),
        BrokenArchive(
            .prefixData,
            "another archive in front",
            bytes: RawZip(RawEntry("good")).bytes() + whole.bytes(),
        ),
        BrokenArchive(.prefixData, "only a stub", RawZip().with { $0.prefix = [1] }),
        BrokenArchive(
            .gap,
            "an entry without a place in the directory",
            whole.with { $0.entries[1].gapBefore = RawEntry("evil", "3").localBytes() },
        ),
        BrokenArchive(
            .gap,
            "a byte before the directory",
            whole.with { $0.gapBeforeDirectory = [0] },
        ),
        BrokenArchive(
            .gap,
            "a byte behind the directory",
            whole.with { $0.gapBehindDirectory = [0] },
        ),
        BrokenArchive(.countMismatch, "one entry too few", whole.with { $0.countError = 1 }),
        BrokenArchive(.countMismatch, "one entry too many", whole.with { $0.countError = -1 }),
        BrokenArchive(.countMismatch, "more than fit", whole.with { $0.countError = 9999 }),
        BrokenArchive(
            .countMismatch,
            "another count for this disk",
            whole.with { $0.diskCountError = 1 },
        ),
        BrokenArchive(
            .headerMismatch,
            "zip64 records that lie about the count",
            whole.with { $0.zip64CountError = -1 },
        ),
        BrokenArchive(.multiDisk, "the second of two parts", whole.with { $0.disk = 1 }),
        BrokenArchive(
            .malformedDirectory,
            "an entry of the directory with another signature",
            bytes: whole.bytes().replacing([0x50, 0x4B, 1, 2], with: [0x50, 0x4B, 1, 3]),
        ),
        BrokenArchive(
            .malformedDirectory,
            "a locator that points at no zip64 record",
            bytes: whole.with { $0.zip64CountError = 0 }.bytes()
                .replacing([0x50, 0x4B, 6, 6], with: [0x50, 0x4B, 6, 9]),
        ),
        BrokenArchive(
            .tooManyEntries,
            "more entries than the limit",
            whole,
            limits: ZipLimits(entries: 1),
        ),
        BrokenArchive(
            .tooManyEntries,
            "more folders than the limit",
            RawZip(RawEntry("a/b/c/d/e", "1")),
            limits: ZipLimits(entries: 2),
        ),
        BrokenArchive(
            .tooManyEntries,
            "more links than the limit",
            RawZip(RawEntry("P/X.app/a", "b").changing { $0.mode = 0o120755 }),
            limits: ZipLimits(symbolicLinks: 0),
        ),
        BrokenArchive(
            .tooLarge,
            "a larger directory than the limit",
            whole,
            limits: ZipLimits(directoryBytes: 93),
        ),
    ]
}

extension RawZip {
    func with(_ change: (inout RawZip) -> Void) -> RawZip {
        var copy = self
        change(&copy)
        return copy
    }
}
