import Bytes

/// The last 32 bytes of a binary property list, which describe its layout.
///
/// Source: `CFBinaryPlistTrailer` in CoreFoundation's `ForFoundationOnly.h`.
struct BinaryTrailer {
    static let magic = Array("bplist".utf8)
    static let header = Array("bplist00".utf8)
    static let size = 32

    /// The size of an entry in the offset table, 1 to 8 bytes.
    let offsetSize: Int
    /// The size of a reference to an object, 1 to 8 bytes.
    let referenceSize: Int
    let objectCount: Int
    let topObject: Int
    /// The offset of the offset table, where the objects end.
    let offsetTable: Int

    /// Reads the trailer of a document, and checks that the offset table fills exactly the space between
    /// the objects and the trailer.
    init(of document: [UInt8]) throws(MalformedBytes) {
        guard document.starts(with: Self.header) else {
            throw MalformedBytes("version", at: 6, .invalid("is not 00"))
        }
        var bytes = ByteReader(document)
        let start = document.count - Self.size
        guard start > Self.header.count else {
            throw MalformedBytes(
                "trailer",
                at: 8,
                .truncated(needed: Self.size, available: document.count - Self.header.count),
            )
        }
        try bytes.seek(to: start, "trailer")
        try bytes.skip(6, "unused bytes")
        offsetSize = try Self.width(&bytes, "offset size")
        referenceSize = try Self.width(&bytes, "reference size")
        objectCount = try Self.number(&bytes, "object count", atMost: start)
        topObject = try Self.number(&bytes, "top object", atMost: objectCount - 1)
        offsetTable = try Self.number(&bytes, "offset table", atMost: start - 1)
        let tableSize = objectCount.multipliedReportingOverflow(by: offsetSize)
        guard offsetTable > Self.header.count, !tableSize.overflow,
            tableSize.partialValue == start - offsetTable
        else {
            throw MalformedBytes(
                "offset table",
                at: start + 24,
                .invalid("does not lie between the objects and the trailer"),
            )
        }
    }

    private static func width(
        _ bytes: inout ByteReader,
        _ field: String,
    ) throws(MalformedBytes) -> Int {
        let place = bytes.offset
        let width = Int(try bytes.byte(field))
        guard (1...8).contains(width) else {
            throw MalformedBytes(field, at: place, .invalid("is \(width) and not 1 to 8"))
        }
        return width
    }

    private static func number(
        _ bytes: inout ByteReader,
        _ field: String,
        atMost limit: Int,
    ) throws(MalformedBytes) -> Int {
        let place = bytes.offset
        let claimed = try bytes.bigEndian(UInt64.self, field)
        guard let number = Int(exactly: claimed), number <= limit else {
            throw MalformedBytes(field, at: place, .invalid("is \(claimed), above \(limit)"))
        }
        return number
    }
}
