import Bytes

/// The header before an entry's data (APPNOTE 4.3.7).
struct LocalHeader {
    static let signature: UInt32 = 0x0403_4B50
    static let size = 30

    let flags: EntryFlags
    let method: UInt16
    let crc32: UInt32
    let sizes: EntrySizes
    let nameLength: Int
    let extraLength: Int

    init(reading bytes: inout ByteReader) throws(MalformedBytes) {
        try bytes.expect(Self.signature, "local header")
        try bytes.skip(2, "version needed")
        flags = EntryFlags(rawValue: try bytes.littleEndian(UInt16.self, "flags"))
        method = try bytes.littleEndian(UInt16.self, "method")
        try bytes.skip(4, "time and date")
        crc32 = try bytes.littleEndian(UInt32.self, "CRC-32")
        let compressedSize = try bytes.unsigned32("compressed size")
        sizes = EntrySizes(
            size: try bytes.unsigned32("size"),
            compressedSize: compressedSize,
        )
        nameLength = try bytes.unsigned16("name length")
        extraLength = try bytes.unsigned16("extra field length")
    }
}

/// The record after the data of an entry that was written as a stream (APPNOTE 4.3.9).
///
/// Its signature is optional and its sizes have four or eight bytes; the length of the record, up to the
/// next header, distinguishes the four forms.
struct DataDescriptor: Equatable {
    static let signature: UInt32 = 0x0807_4B50
    static let lengths = [12, 16, 20, 24]

    let crc32: UInt32
    let compressedSize: Int
    let size: Int

    init(reading bytes: inout ByteReader) throws(MalformedBytes) {
        let length = bytes.remaining
        if length == 16 || length == 24 {
            try bytes.expect(Self.signature, "data descriptor")
        }
        crc32 = try bytes.littleEndian(UInt32.self, "CRC-32 of the data descriptor")
        if length >= 20 {
            compressedSize = try bytes.length("compressed size of the data descriptor")
            size = try bytes.length("size of the data descriptor")
        } else {
            compressedSize = try bytes.unsigned32("compressed size of the data descriptor")
            size = try bytes.unsigned32("size of the data descriptor")
        }
    }
}
