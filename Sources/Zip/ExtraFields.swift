import Bytes

/// The extra fields that change an entry's meaning (APPNOTE 4.5); others are ignored.
struct ExtraFields {
    static let zip64: UInt16 = 0x0001
    static let unicodePath: UInt16 = 0x7075

    private(set) var zip64Data: ArraySlice<UInt8>?
    /// The name in the Unicode Path field.
    private(set) var unicodeName: ArraySlice<UInt8>?

    /// Reads the extra fields of a local header.
    ///
    /// Tools that align data pad them with bytes that are not fields, so reading stops at the first
    /// invalid field; a zip64 size that is needed and missing is refused later.
    init(local bytes: ArraySlice<UInt8>) throws(MalformedBytes) {
        var reader = ByteReader(bytes)
        while reader.remaining >= 4 {
            let id = try reader.littleEndian(UInt16.self, "extra field")
            let size = try reader.unsigned16("extra field size")
            guard size <= reader.remaining else { return }
            try take(try reader.bytes(size, "extra field"), id: id, at: reader.offset - size)
        }
    }

    /// Reads the extra fields of a directory entry, which must be well-formed.
    ///
    /// Up to three bytes at the end are padding, because no field fits in them.
    init(central bytes: ArraySlice<UInt8>) throws(MalformedBytes) {
        var reader = ByteReader(bytes)
        while reader.remaining >= 4 {
            let id = try reader.littleEndian(UInt16.self, "extra field")
            let size = try reader.unsigned16("extra field size")
            try take(try reader.bytes(size, "extra field"), id: id, at: reader.offset - size)
        }
    }

    private mutating func take(
        _ data: ArraySlice<UInt8>,
        id: UInt16,
        at offset: Int,
    ) throws(MalformedBytes) {
        switch id {
        case Self.zip64:
            guard zip64Data == nil else {
                throw MalformedBytes("zip64 extra field", at: offset, .invalid("appears twice"))
            }
            zip64Data = data
        case Self.unicodePath:
            guard unicodeName == nil else {
                throw MalformedBytes("Unicode Path field", at: offset, .invalid("appears twice"))
            }
            var reader = ByteReader(data)
            try reader.skip(5, "Unicode Path version and checksum")
            unicodeName = try reader.bytes(reader.remaining, "Unicode Path name")
        default:
            break
        }
    }
}
