import Bytes
import TestSupport
import Testing

struct ByteReaderTests {
    @Test func `numbers are read in both orders and move the cursor`() throws {
        var bytes = ByteReader([0x01, 0x02, 0x03, 0x04, 0xFF, 0xFE, 0x07])
        #expect(try bytes.littleEndian(UInt16.self, "little") == 0x0201)
        #expect(try bytes.bigEndian(UInt16.self, "big") == 0x0304)
        #expect(try bytes.bigEndian(Int16.self, "signed") == -2)
        #expect((bytes.offset, bytes.remaining, bytes.isAtEnd) == (6, 1, false))
        #expect(try bytes.byte("last") == 7)
        #expect((bytes.offset, bytes.remaining, bytes.isAtEnd) == (7, 0, true))
    }

    @Test func `numbers of every width keep all their bits`() throws {
        var writer = ByteWriter()
        writer.littleEndian(UInt64.max - 1)
        writer.bigEndian(Int64.min)
        writer.bigEndian(UInt8(0x80))
        var bytes = ByteReader(writer.bytes)
        #expect(try bytes.littleEndian(UInt64.self, "unsigned") == .max - 1)
        #expect(try bytes.bigEndian(Int64.self, "signed") == .min)
        #expect(try bytes.littleEndian(Int8.self, "byte") == -128)
    }

    @Test(arguments: 0..<8)
    func `a short number names its field, its offset and what is missing`(available: Int) {
        var bytes = ByteReader(Array(repeating: 0, count: 2 + available))
        #expect(throws: Never.self) { try bytes.skip(2, "head") }
        #expect(
            throws: MalformedBytes("size", at: 2, .truncated(needed: 8, available: available))
        ) {
            try bytes.littleEndian(UInt64.self, "size")
        }
        #expect(bytes.offset == 2, "a failed read leaves the cursor where it was")
    }

    @Test(arguments: [Int.min, -1])
    func `a negative length is refused`(count: Int) {
        var bytes = ByteReader([1, 2, 3])
        #expect(throws: MalformedBytes("name", at: 0, .invalid("has a negative length"))) {
            try bytes.bytes(count, "name")
        }
    }

    @Test(arguments: [4, 1 << 40, Int.max])
    func `a huge length is refused without reserving memory`(count: Int) throws {
        var bytes = ByteReader([1, 2, 3])
        #expect(throws: MalformedBytes("name", at: 0, .truncated(needed: count, available: 3))) {
            try bytes.bytes(count, "name")
        }
        #expect(try bytes.bytes(3, "name") == [1, 2, 3])
        #expect(throws: MalformedBytes("rest", at: 3, .truncated(needed: count, available: 0))) {
            try bytes.skip(count, "rest")
        }
    }

    @Test func `nothing can be read at the end, as often as one likes`() throws {
        var bytes = ByteReader([])
        #expect(bytes.isAtEnd)
        #expect(try bytes.bytes(0, "nothing").isEmpty)
        #expect(try bytes.bytes(0, "nothing").isEmpty)
        #expect(throws: MalformedBytes.self) { try bytes.byte("one") }
    }

    @Test func `a slice counts from its own start`() throws {
        let all: [UInt8] = [9, 9, 9, 1, 2, 3, 9]
        var bytes = ByteReader(all[3..<6])
        #expect((bytes.offset, bytes.remaining) == (0, 3))
        try bytes.seek(to: 2, "third")
        #expect(try bytes.byte("third") == 3)
        #expect(throws: MalformedBytes("fourth", at: 3, .truncated(needed: 1, available: 0))) {
            try bytes.byte("fourth")
        }
        try bytes.seek(to: 0, "first")
        #expect(try bytes.byte("first") == 1)
    }

    @Test(arguments: [Int.min, -1, 4, Int.max])
    func `seeking outside is refused`(offset: Int) throws {
        var bytes = ByteReader([1, 2, 3])
        #expect(
            throws: MalformedBytes(
                "table",
                at: offset,
                .invalid("lies outside the 3 bytes there are"),
            )
        ) {
            try bytes.seek(to: offset, "table")
        }
        try bytes.seek(to: 3, "end")
        #expect(bytes.isAtEnd)
    }

    @Test func `a signature is expected at the offset where it begins`() throws {
        var bytes = ByteReader([0, 0x50, 0x4B, 0x03, 0x04])
        try bytes.skip(1, "head")
        var other = bytes
        try bytes.expect(UInt32(0x0403_4B50), "local header")
        #expect(bytes.isAtEnd)
        #expect(throws: MalformedBytes("central header", at: 1, .unexpected(found: "0x4034b50"))) {
            try other.expect(UInt32(0x0201_4B50), "central header")
        }
    }

    @Test(
        arguments: zip(
            [
                MalformedBytes.Reason.truncated(needed: 4, available: 1),
                .unexpected(found: "0x0"), .invalid("is odd"),
            ],
            [
                "size at offset 6 needs 4 bytes, but the data ends after 1",
                "size at offset 6 is 0x0",
                "size at offset 6 is odd",
            ],
        )
    )
    func `an error is one clause`(reason: MalformedBytes.Reason, text: String) {
        #expect(MalformedBytes("size", at: 6, reason).description == text)
    }
}
