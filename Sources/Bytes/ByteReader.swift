/// A cursor over untrusted bytes; every read is checked against the remaining bytes.
package struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// The number of bytes from the start to the cursor.
    package var offset: Int { position - bytes.startIndex }

    /// The number of bytes from the cursor to the end.
    package var remaining: Int { bytes.endIndex - position }

    package var isAtEnd: Bool { remaining == 0 }

    /// Reads `count` bytes without copying them.
    package mutating func bytes(
        _ count: Int,
        _ field: String,
    ) throws(MalformedBytes) -> ArraySlice<UInt8> {
        guard count >= 0 else {
            throw MalformedBytes(field, at: offset, .invalid("has a negative length"))
        }
        guard count <= remaining else {
            throw MalformedBytes(
                field,
                at: offset,
                .truncated(needed: count, available: remaining),
            )
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Skips `count` bytes.
    package mutating func skip(_ count: Int, _ field: String) throws(MalformedBytes) {
        _ = try bytes(count, field)
    }

    /// Moves the cursor to `offset`, relative to the start.
    package mutating func seek(to offset: Int, _ field: String) throws(MalformedBytes) {
        guard offset >= 0, offset <= bytes.count else {
            throw MalformedBytes(
                field,
                at: offset,
                .invalid("lies outside the \(bytes.count.grouped) bytes there are"),
            )
        }
        position = bytes.startIndex + offset
    }

    /// Reads a little-endian integer.
    package mutating func littleEndian<Value: FixedWidthInteger>(
        _ type: Value.Type,
        _ field: String,
    ) throws(MalformedBytes) -> Value {
        Value(truncatingIfNeeded: try number(of: MemoryLayout<Value>.size, field))
    }

    /// Not generic: other modules would call the unspecialized function, and shifting byte by byte through
    /// `FixedWidthInteger` takes a hundred times as long.
    private mutating func number(of count: Int, _ field: String) throws(MalformedBytes) -> UInt64 {
        precondition(count <= 8, "no number has more than eight bytes")
        guard count <= remaining else { return try truncated(count, field) }
        var value: UInt64 = 0
        for index in 0..<count {
            value |= UInt64(bytes[position + index]) << UInt64(index * 8)
        }
        position += count
        return value
    }

    private mutating func truncated(_ count: Int, _ field: String) throws(MalformedBytes) -> UInt64
    {
        _ = try bytes(count, field)
        return 0
    }

    package mutating func bigEndian<Value: FixedWidthInteger>(
        _ type: Value.Type,
        _ field: String,
    ) throws(MalformedBytes) -> Value {
        try littleEndian(type, field).byteSwapped
    }

    package mutating func byte(_ field: String) throws(MalformedBytes) -> UInt8 {
        UInt8(truncatingIfNeeded: try number(of: 1, field))
    }

    /// Reads a little-endian signature and refuses any other value.
    package mutating func expect<Value: FixedWidthInteger>(
        _ signature: Value,
        _ field: String,
    ) throws(MalformedBytes) {
        let start = offset
        let found = try littleEndian(Value.self, field)
        guard found == signature else {
            throw MalformedBytes(
                field,
                at: start,
                .unexpected(found: "0x" + String(found, radix: 16)),
            )
        }
    }
}
