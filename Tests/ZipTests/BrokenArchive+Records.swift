import Zip

extension BrokenArchive {
    private static let entry = RawEntry("a", "1234")

    private static func streamed(_ descriptor: [UInt8]) -> RawEntry {
        entry.changing {
            $0.both { $0.flags = 0x808 }
            $0.local.crc32 = 0
            $0.local.size = 0
            $0.local.compressedSize = 0
            $0.descriptor = descriptor
        }
    }

    private static func mismatch(
        _ description: String,
        _ change: (inout RawEntry) -> Void,
    ) -> BrokenArchive {
        BrokenArchive(.headerMismatch, description, RawZip(entry.changing(change)))
    }

    /// Local headers, descriptors, extra fields and offsets.
    static let records: [BrokenArchive] = [
        mismatch("another name in front of the data") { $0.local.name = [0x62] },
        mismatch("a longer name in front of the data") { $0.local.name += [0x62] },
        mismatch("another method in front of the data") { $0.local.method = 8 },
        mismatch("other flags in front of the data") { $0.local.flags = 0 },
        mismatch("another checksum in front of the data") { $0.local.crc32 ^= 1 },
        mismatch("a shorter size in front of the data") { $0.local.size -= 1 },
        mismatch("a shorter data in front of the data") { $0.local.compressedSize -= 1 },
        mismatch("no checksum in front of the data") { $0.local.crc32 = 0 },
        mismatch("encrypted only in front of the data") { $0.local.flags |= 1 },
        BrokenArchive(
            .headerMismatch,
            "no header where the directory has one",
            bytes: RawZip(entry).bytes().replacing([0x50, 0x4B, 3, 4], with: [0x50, 0x4B, 3, 5]),
        ),
        BrokenArchive(.headerMismatch, "no descriptor", RawZip(streamed([]))),
        BrokenArchive(
            .headerMismatch,
            "a descriptor of another checksum",
            RawZip(streamed(littleEndian(0x0807_4B50, entry.local.crc32 ^ 1, 4, 4 as UInt32))),
        ),
        BrokenArchive(
            .headerMismatch,
            "a descriptor of another size",
            RawZip(streamed(littleEndian(entry.local.crc32, 4, 5 as UInt32))),
        ),
        BrokenArchive(
            .headerMismatch,
            "a descriptor with another signature",
            RawZip(streamed(littleEndian(0x0807_4B51, entry.local.crc32, 4, 4 as UInt32))),
        ),
        BrokenArchive(
            .gap,
            "a descriptor and a byte",
            RawZip(streamed(littleEndian(entry.local.crc32, 4, 4 as UInt32) + [0])),
        ),
        BrokenArchive(
            .overlap,
            "two entries with the same data",
            RawZip(entry, RawEntry("b", "1234").changing { $0.headerOffset = 0 }),
        ),
        BrokenArchive(
            .overlap,
            "an entry that quotes the next one's header",
            RawZip(
                entry.changing {
                    $0.both {
                        $0.compressedSize += 20; $0.size += 20
                    }
                },
                RawEntry("b"),
            ),
        ),
        BrokenArchive(
            .overlap,
            "an entry that reaches into the directory",
            RawZip(
                entry.changing {
                    $0.both {
                        $0.compressedSize += 1; $0.size += 1
                    }
                }
            ),
        ),
        BrokenArchive(
            .overlap,
            "an entry that begins in the last byte of another",
            RawZip(entry, RawEntry("b").changing { $0.headerOffset = 34 }),
        ),
        BrokenArchive(
            .gap,
            "an entry that begins far outside",
            RawZip(entry, RawEntry("b").changing { $0.headerOffset = 0xFFFF_FFF0 }),
        ),
        BrokenArchive(
            .malformedExtra,
            "an extra field that is longer than the extra fields",
            RawZip(entry.changing { $0.central.extra = [0x55, 0x58, 9, 0, 1] }),
        ),
        BrokenArchive(
            .malformedExtra,
            "two zip64 fields",
            RawZip(entry.changing { $0.central.extra = field(1, []) + field(1, []) }),
        ),
        BrokenArchive(
            .malformedExtra,
            "a zip64 field that disagrees with the header",
            RawZip(entry.changing { $0.central.extra = field(1, littleEndian(5 as UInt64)) }),
        ),
        BrokenArchive(
            .malformedExtra,
            "a zip64 field without the size that is due",
            RawZip(
                entry.changing {
                    $0.central.size = .max; $0.central.extra = field(1, [])
                }
            ),
        ),
        BrokenArchive(
            .malformedExtra,
            "a zip64 size beyond any file",
            RawZip(
                entry.changing {
                    $0.central.size = .max
                    $0.central.extra = field(1, littleEndian(UInt64.max))
                }
            ),
        ),
        BrokenArchive(
            .ambiguousName,
            "another Unicode name in the directory",
            RawZip(entry.changing { $0.central.extra = unicodePath("b") }),
        ),
        BrokenArchive(
            .ambiguousName,
            "another Unicode name in front of the data",
            RawZip(entry.changing { $0.local.extra = unicodePath("b") }),
        ),
    ]

    private static func unicodePath(_ name: String) -> [UInt8] {
        field(0x7075, [1] + littleEndian(checksum(of: [0x61])) + Array(name.utf8))
    }
}
