import MachOFormat

/// Computes the end of the tables that load commands place in `__LINKEDIT`.
struct LinkEditContents {
    /// The end of the last table, as an offset in the slice; 0 for none.
    private(set) var end = 0

    /// For a slice whose header bytes were not kept, ``end`` is 0.
    init(_ slice: BinarySlice) {
        guard let bytes = slice.headerBytes else { return }
        var place = slice.header.size
        for _ in slice.commands {
            let number = bytes.littleEndian(UInt32.self, at: place)
            let size = Int(bytes.littleEndian(UInt32.self, at: place + 4))
            let fields = stride(from: 8, through: size - 4, by: 4).map {
                Int(bytes.littleEndian(UInt32.self, at: place + $0))
            }
            note(number, fields, entrySize: slice.header.is64Bit ? 16 : 12)
            place += size
        }
    }

    /// The fields have 32 bits, so no product or sum can overflow.
    private mutating func note(_ number: UInt32, _ fields: [Int], entrySize: Int) {
        switch number {
        // LC_SYMTAB: symbols and strings.
        case 0x02 where fields.count >= 4:
            note(fields[0], fields[1] * entrySize)
            note(fields[2], fields[3])
        // LC_DYSYMTAB: indirect symbols, external and local relocations.
        case 0x0b where fields.count >= 18:
            note(fields[12], fields[13] * 4)
            note(fields[14], fields[15] * 8)
            note(fields[16], fields[17] * 8)
        // LC_DYLD_INFO: rebasing, three kinds of binding, exports.
        case 0x22, 0x8000_0022:
            for pair in stride(from: 0, to: min(fields.count, 10) - 1, by: 2) {
                note(fields[pair], fields[pair + 1])
            }
        // Split info, function starts, data in code, code signing requirements of libraries, optimization
        // hints, exports, chained fixups, atom info, function variants.
        case 0x1e, 0x26, 0x29, 0x2b, 0x2e, 0x8000_0033, 0x8000_0034, 0x36...0x38:
            if fields.count >= 2 { note(fields[0], fields[1]) }
        default: break
        }
    }

    private mutating func note(_ offset: Int, _ size: Int) {
        if size > 0 { end = max(end, offset + size) }
    }
}
