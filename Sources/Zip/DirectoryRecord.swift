import Bytes

/// The bytes of a central directory entry, to be written again with another offset or other sizes.
struct DirectoryRecord {
    /// The 46 bytes before the name.
    private let fixed: [UInt8]
    private let name: ArraySlice<UInt8>
    /// Without the zip64 field.
    private let extra: [UInt8]
    private let comment: ArraySlice<UInt8>

    /// Reads one record, from its signature to the end of its comment.
    init(reading bytes: inout ByteReader) throws(MalformedBytes) {
        let fixed = Array(try bytes.bytes(CentralHeader.size, "directory entry"))
        func length(_ offset: Int) -> Int { Int(fixed[offset]) | Int(fixed[offset + 1]) << 8 }
        name = try bytes.bytes(length(28), "name")
        extra = ExtraFields.withoutZip64(try bytes.bytes(length(30), "extra fields"))
        comment = try bytes.bytes(length(32), "comment")
        self.fixed = fixed
    }

    /// The modification time and date in DOS form.
    var moment: UInt32 { fixed[12..<16].reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    /// Returns the record with other numbers.
    ///
    /// A number that was in the zip64 field stays there, and one that does not fit 32 bits is moved
    /// there.
    func bytes(of entry: RewrittenEntry) -> [UInt8] {
        var large: [Int] = []
        func small(_ number: Int, at offset: Int) -> UInt32 {
            let wasLarge = fixed[offset..<offset + 4].allSatisfy { $0 == 0xFF }
            guard entry.isZip64 && offset != 42 || wasLarge || number >= UInt32.max else {
                return UInt32(number)
            }
            large.append(number)
            return .max
        }
        let size = small(entry.size, at: 24)
        let compressedSize = small(entry.compressedSize, at: 20)
        let offset = small(entry.headerOffset, at: 42)
        var writer = ByteWriter()
        writer.append(fixed[..<6])
        let version = UInt16(fixed[6]) | UInt16(fixed[7]) << 8
        writer.littleEndian(large.isEmpty ? version : max(version, 45))
        writer.littleEndian(entry.flags)
        writer.littleEndian(entry.method.rawValue)
        writer.append(fixed[12..<16])
        writer.littleEndian(entry.crc32)
        writer.littleEndian(compressedSize)
        writer.littleEndian(size)
        writer.littleEndian(UInt16(clamping: name.count))
        writer.littleEndian(
            UInt16(clamping: extra.count + (large.isEmpty ? 0 : 4 + 8 * large.count))
        )
        writer.append(fixed[32..<42])
        writer.littleEndian(offset)
        writer.append(name)
        if !large.isEmpty { ExtraFields.appendZip64(large, to: &writer) }
        writer.append(extra)
        writer.append(comment)
        return writer.bytes
    }
}

/// The numbers of an entry in the archive being written.
struct RewrittenEntry {
    var headerOffset: Int
    var flags: UInt16
    var method: ZipEntry.Method
    var crc32: UInt32
    var compressedSize: Int
    var size: Int
    /// Whether its local header has the zip64 field.
    var isZip64 = false
}

extension ExtraFields {
    /// Removes the zip64 field; bytes that are not a field are kept.
    static func withoutZip64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = bytes
        while rest.count >= 4 {
            let head = Array(rest.prefix(4))
            let size = 4 + (Int(head[2]) | Int(head[3]) << 8)
            guard size <= rest.count else { break }
            if UInt16(head[0]) | UInt16(head[1]) << 8 != zip64 { kept += rest.prefix(size) }
            rest = rest.dropFirst(size)
        }
        return kept + rest
    }

    static func appendZip64(_ values: [Int], to writer: inout ByteWriter) {
        writer.littleEndian(zip64)
        writer.littleEndian(UInt16(8 * values.count))
        for value in values { writer.littleEndian(UInt64(value)) }
    }
}
