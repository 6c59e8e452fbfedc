import Bytes

/// The fields of one central directory entry (APPNOTE 4.3.12).
struct CentralHeader {
    static let signature: UInt32 = 0x0201_4B50
    static let size = 46

    let host: UInt8
    let flags: UInt16
    let method: UInt16
    let crc32: UInt32
    let sizes: EntrySizes
    let externalAttributes: UInt32
    let name: ArraySlice<UInt8>
    let extra: ArraySlice<UInt8>

    init(reading bytes: inout ByteReader) throws(MalformedBytes) {
        try bytes.expect(Self.signature, "directory entry")
        try bytes.skip(1, "version made by")
        host = try bytes.byte("host system")
        try bytes.skip(2, "version needed")
        flags = try bytes.littleEndian(UInt16.self, "flags")
        method = try bytes.littleEndian(UInt16.self, "method")
        try bytes.skip(4, "time and date")
        crc32 = try bytes.littleEndian(UInt32.self, "CRC-32")
        let compressedSize = try bytes.unsigned32("compressed size")
        let size = try bytes.unsigned32("size")
        let nameLength = try bytes.unsigned16("name length")
        let extraLength = try bytes.unsigned16("extra field length")
        let commentLength = try bytes.unsigned16("comment length")
        let disk = try bytes.unsigned16("disk number")
        try bytes.skip(2, "internal attributes")
        externalAttributes = try bytes.littleEndian(UInt32.self, "external attributes")
        let headerOffset = try bytes.unsigned32("header offset")
        name = try bytes.bytes(nameLength, "name")
        extra = try bytes.bytes(extraLength, "extra fields")
        try bytes.skip(commentLength, "comment")
        sizes = EntrySizes(
            size: size,
            compressedSize: compressedSize,
            headerOffset: headerOffset,
            disk: disk,
        )
    }
}

/// The general purpose bits that affect how an entry is read (APPNOTE 4.4.4).
struct EntryFlags: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let encrypted = EntryFlags(rawValue: 1 << 0)
    static let descriptor = EntryFlags(rawValue: 1 << 3)
    static let patched = EntryFlags(rawValue: 1 << 5)
    static let strongEncryption = EntryFlags(rawValue: 1 << 6)
    static let utf8 = EntryFlags(rawValue: 1 << 11)
    static let maskedHeader = EntryFlags(rawValue: 1 << 13)

    /// The flags that the local header must repeat.
    static let meaningful: EntryFlags = [
        .encrypted, .descriptor, .patched, .strongEncryption, .utf8, .maskedHeader,
    ]
}
