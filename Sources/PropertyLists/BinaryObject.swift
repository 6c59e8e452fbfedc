import Bytes

/// An object of a binary property list, whose references are not resolved yet.
enum BinaryObject {
    case scalar(PropertyList)
    case ascii(ArraySlice<UInt8>)
    /// UTF-16, big-endian, two bytes per code unit.
    case utf16(ArraySlice<UInt8>)
    case data(ArraySlice<UInt8>)
    /// The concatenated references.
    case array(ArraySlice<UInt8>)
    /// The references of the keys, and as many of the values.
    case dictionary(keys: ArraySlice<UInt8>, values: ArraySlice<UInt8>)
}

extension BinaryObject {
    /// Reads the object at the cursor; the high half of its marker is the kind, the low half the size.
    ///
    /// Null, fill, sets, ordered sets and URLs are refused: Apple's tools write none of them for an app
    /// or a profile.
    init(reading bytes: inout ByteReader, referenceSize: Int) throws(MalformedBytes) {
        let place = bytes.offset
        let marker = try bytes.byte("object marker")
        switch (marker >> 4, marker & 15) {
        case (0x0, 0x8): self = .scalar(.boolean(false))
        case (0x0, 0x9): self = .scalar(.boolean(true))
        case (0x1, 0...4): self = .scalar(try Self.integer(&bytes, width: 1 << (marker & 15)))
        case (0x2, 2):
            let bits = try bytes.bigEndian(UInt32.self, "real")
            self = .scalar(.real(Double(Float(bitPattern: bits))))
        case (0x2, 3):
            let bits = try bytes.bigEndian(UInt64.self, "real")
            self = .scalar(.real(Double(bitPattern: bits)))
        case (0x3, 3): self = .scalar(try Self.date(&bytes))
        case (0x4, let low): self = .data(try Self.items(of: 1, low, &bytes, "data"))
        case (0x5, let low): self = .ascii(try Self.items(of: 1, low, &bytes, "ASCII string"))
        case (0x6, let low): self = .utf16(try Self.items(of: 2, low, &bytes, "UTF-16 string"))
        case (0x8, 0...7):
            self = .scalar(.uid(try bytes.bigEndian(width: Int(marker & 15) + 1, "UID")))
        case (0xA, let low): self = .array(try Self.items(of: referenceSize, low, &bytes, "array"))
        case (0xD, let low):
            let both = try Self.items(of: 2 * referenceSize, low, &bytes, "dictionary")
            let middle = both.startIndex + both.count / 2
            self = .dictionary(keys: both[..<middle], values: both[middle...])
        default:
            let kind =
                switch marker {
                case 0x00: "null"
                case 0x0F: "fill"
                case 0xB0...0xCF: "a set"
                default: "of the unknown kind 0x\(Hex.encode([marker]))"
                }
            throw MalformedBytes("object", at: place, .invalid("is \(kind)"))
        }
    }

    /// One, two and four bytes are unsigned, eight are signed; sixteen are used for numbers that only fit
    /// `UInt64`.
    private static func integer(
        _ bytes: inout ByteReader,
        width: Int,
    ) throws(MalformedBytes) -> PropertyList {
        let place = bytes.offset
        if width == 16 {
            guard try bytes.bigEndian(UInt64.self, "integer") == 0 else {
                throw MalformedBytes("integer", at: place, .invalid("does not fit 64 bits"))
            }
            let value = try bytes.bigEndian(UInt64.self, "integer")
            return Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
        }
        return .integer(Int64(bitPattern: try bytes.bigEndian(width: width, "integer")))
    }

    private static func date(_ bytes: inout ByteReader) throws(MalformedBytes) -> PropertyList {
        let place = bytes.offset
        let seconds = Double(bitPattern: try bytes.bigEndian(UInt64.self, "date"))
        guard let date = CivilTime.date(secondsSince2001: seconds) else {
            throw MalformedBytes("date", at: place, .invalid("is outside the years 0 to 9999"))
        }
        return .date(date)
    }

    /// The bytes of `low` items or, when `low` is 15, of as many as the following integer object says.
    private static func items(
        of width: Int,
        _ low: UInt8,
        _ bytes: inout ByteReader,
        _ field: String,
    ) throws(MalformedBytes) -> ArraySlice<UInt8> {
        let place = bytes.offset
        var count = UInt64(low)
        if low == 15 {
            let marker = try bytes.byte("\(field) count")
            guard (0x10...0x13).contains(marker) else {
                throw MalformedBytes("\(field) count", at: place, .invalid("is not an integer"))
            }
            count = try bytes.bigEndian(width: 1 << Int(marker & 15), "\(field) count")
        }
        let (size, overflow) = count.multipliedReportingOverflow(by: UInt64(width))
        guard !overflow, let size = Int(exactly: size) else {
            throw MalformedBytes("\(field) count", at: place, .invalid("is \(count)"))
        }
        return try bytes.bytes(size, field)
    }
}

extension ByteReader {
    /// Reads an unsigned number of 1 to 8 bytes.
    mutating func bigEndian(width: Int, _ field: String) throws(MalformedBytes) -> UInt64 {
        try bytes(width, field).bigEndianNumber
    }
}

extension ArraySlice<UInt8> {
    /// The last eight bytes as a big-endian number.
    var bigEndianNumber: UInt64 {
        reduce(0) { $0 << 8 | UInt64($1) }
    }
}
