package import Bytes

/// The header of a universal file, a table of its slices (`mach-o/fat.h`); all big-endian.
package struct UniversalHeader: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let processor: Processor
        /// `cputype` and `cpusubtype`, including its capability bits, as in the table.
        package let processorNumbers: [UInt32]
        /// The range of the slice in the file.
        package let range: Range<Int>
        /// The base-2 logarithm of the alignment of the slice's offset.
        package let alignmentLog2: Int
    }

    /// In the order of the table, which may differ from that of the file.
    package let entries: [Entry]
    /// Whether offsets and sizes have 64 bits.
    package let is64Bit: Bool

    /// The size of the header in bytes.
    package var size: Int { Self.prefixSize + entries.count * Self.entrySize(is64Bit: is64Bit) }

    static let magic: UInt32 = 0xcafe_babe
    static let magic64: UInt32 = 0xcafe_babf

    /// The size of magic and count in bytes.
    static let prefixSize = 8

    static func entrySize(is64Bit: Bool) -> Int { is64Bit ? 32 : 20 }
}

extension UniversalHeader {
    /// Returns the size of the header in bytes, from its first eight bytes.
    static func size(reading prefix: [UInt8]) throws(MalformedBytes) -> Int {
        var bytes = ByteReader(prefix)
        let is64Bit = try bytes.bigEndian(UInt32.self, "universal magic") == magic64
        return prefixSize + (try sliceCount(&bytes)) * entrySize(is64Bit: is64Bit)
    }

    /// Reads the whole header; no slice may extend beyond `fileSize`.
    package init(
        reading bytes: inout ByteReader,
        fileSize: Int,
    ) throws(MalformedBytes) {
        let magic = try bytes.bigEndian(UInt32.self, "universal magic")
        guard magic == Self.magic || magic == Self.magic64 else {
            throw MalformedBytes(
                "universal magic",
                at: 0,
                .unexpected(found: "0x" + String(magic, radix: 16)),
            )
        }
        is64Bit = magic == Self.magic64
        let count = try Self.sliceCount(&bytes)
        let end = Self.prefixSize + count * Self.entrySize(is64Bit: is64Bit)
        var entries: [Entry] = []
        for _ in 0..<count {
            let start = bytes.offset
            let entry = try Entry(reading: &bytes, is64Bit: is64Bit, within: end..<fileSize)
            guard !entries.contains(where: { $0.processor == entry.processor }) else {
                throw MalformedBytes(
                    "universal slice",
                    at: start,
                    .invalid("is a second one for \(entry.processor)"),
                )
            }
            if let other = entries.first(where: { $0.range.overlaps(entry.range) }) {
                throw MalformedBytes(
                    "universal slice",
                    at: start,
                    .invalid("for \(entry.processor) overlaps the one for \(other.processor)"),
                )
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    private static func sliceCount(_ bytes: inout ByteReader) throws(MalformedBytes) -> Int {
        let start = bytes.offset
        let count = Int(try bytes.bigEndian(UInt32.self, "slice count"))
        guard (1...MachOLimits.slices).contains(count) else {
            throw MalformedBytes(
                "slice count",
                at: start,
                .invalid("is \(count), and 1 to \(MachOLimits.slices) are accepted"),
            )
        }
        return count
    }
}

extension UniversalHeader.Entry {
    /// `MAXSECTALIGN` of Apple's lipo.
    private static let greatestAlignment: UInt32 = 15

    init(
        reading bytes: inout ByteReader,
        is64Bit: Bool,
        within file: Range<Int>,
    ) throws(MalformedBytes) {
        let type = try bytes.bigEndian(UInt32.self, "slice processor type")
        let subtype = try bytes.bigEndian(UInt32.self, "slice processor subtype")
        processor = Processor(type: type, subtype: subtype)
        processorNumbers = [type, subtype]
        let start = bytes.offset
        let (offset, size) = try is64Bit ? bytes.place(UInt64.self) : bytes.place(UInt32.self)
        guard size > 0, offset >= file.lowerBound, offset <= file.upperBound,
            size <= file.upperBound - Int(offset)
        else {
            throw MalformedBytes(
                "slice range",
                at: start,
                .invalid(
                    "of \(size.grouped) bytes at \(offset) does not lie between the table's end at "
                        + "\(file.lowerBound) and the file's end at \(file.upperBound)"
                ),
            )
        }
        range = Int(offset)..<Int(offset) + Int(size)
        let alignment = try bytes.bigEndian(UInt32.self, "slice alignment")
        guard alignment <= Self.greatestAlignment,
            range.lowerBound.isMultiple(of: 1 << Int(alignment))
        else {
            throw MalformedBytes(
                "slice alignment",
                at: bytes.offset - 4,
                .invalid("of 2^\(alignment) does not fit a slice at \(offset)"),
            )
        }
        alignmentLog2 = Int(alignment)
        if is64Bit { try bytes.skip(4, "reserved") }
    }
}

extension ByteReader {
    /// Reads the offset and size of a slice in one of the two widths.
    fileprivate mutating func place<Width: FixedWidthInteger & UnsignedInteger>(
        _ width: Width.Type
    ) throws(MalformedBytes) -> (offset: UInt64, size: UInt64) {
        let offset = UInt64(try bigEndian(width, "slice offset"))
        return (offset, UInt64(try bigEndian(width, "slice size")))
    }
}
