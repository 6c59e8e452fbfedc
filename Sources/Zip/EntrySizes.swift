import Bytes

/// The sizes and offset of an entry, which may need zip64 (APPNOTE 4.5.3).
struct EntrySizes: Equatable {
    private static let full = Int(UInt32.max)
    private static let fullDisk = Int(UInt16.max)

    var size: Int
    var compressedSize: Int
    var headerOffset = 0
    var disk = 0

    /// Takes the values that did not fit from the zip64 field, in its fixed order.
    ///
    /// Some writers also store values there that did fit. Readers differ in whether they use them, so
    /// both must be equal.
    mutating func adopt(_ zip64: ArraySlice<UInt8>?) throws(MalformedBytes) {
        guard let zip64 else { return }
        var reader = ByteReader(zip64)
        if size == Self.full { size = try reader.length("zip64 size") }
        if compressedSize == Self.full {
            compressedSize = try reader.length("zip64 compressed size")
        }
        if headerOffset == Self.full { headerOffset = try reader.length("zip64 header offset") }
        if disk == Self.fullDisk { disk = try reader.unsigned32("zip64 disk number") }
        guard !reader.isAtEnd else { return }
        try expectSame(zip64)
    }

    /// Takes the values likewise for a local header, whose zip64 field has only the two sizes.
    mutating func adoptLocal(_ zip64: ArraySlice<UInt8>?) throws(MalformedBytes) {
        guard let zip64, size == Self.full || compressedSize == Self.full else { return }
        var reader = ByteReader(zip64)
        if size == Self.full { size = try reader.length("zip64 size") }
        if compressedSize == Self.full {
            compressedSize = try reader.length("zip64 compressed size")
        }
    }

    private func expectSame(_ zip64: ArraySlice<UInt8>) throws(MalformedBytes) {
        var reader = ByteReader(zip64)
        for (expected, field) in [
            (size, "zip64 size"), (compressedSize, "zip64 compressed size"),
            (headerOffset, "zip64 header offset"),
        ] where !reader.isAtEnd {
            let start = reader.offset
            let found = try reader.length(field)
            guard found == expected else {
                throw MalformedBytes(
                    field,
                    at: start,
                    .invalid("is \(found), but the header says \(expected)"),
                )
            }
        }
        guard !reader.isAtEnd else { return }
        let start = reader.offset
        guard reader.remaining == 4, try reader.unsigned32("zip64 disk number") == disk else {
            throw MalformedBytes("zip64 disk number", at: start, .invalid("does not agree"))
        }
    }
}
