import Bytes
import TestSupport
import Testing

struct ByteWriterTests {
    @Test func `fields follow each other`() {
        var writer = ByteWriter()
        writer.append("PK".utf8)
        writer.littleEndian(UInt16(0x0102))
        writer.bigEndian(UInt16(0x0102))
        #expect(writer.bytes == [0x50, 0x4B, 2, 1, 1, 2])
        #expect(writer.count == 6)
    }

    @Test(arguments: [(0, 0), (1, 4), (4, 4), (5, 8)])
    func `padding reaches the next multiple and no further`(count: Int, padded: Int) {
        var writer = ByteWriter()
        writer.append(Array(repeating: 7, count: count))
        writer.pad(to: 4)
        #expect(
            writer.bytes == Array(repeating: 7, count: count)
                + Array(repeating: 0, count: padded - count)
        )
    }

    @Test func `a length is filled in afterwards`() {
        var writer = ByteWriter()
        writer.littleEndian(UInt32(0))
        writer.append([1, 2, 3])
        writer.overwrite(at: 0, with: [3, 0, 0, 0])
        #expect(writer.bytes == [3, 0, 0, 0, 1, 2, 3])
    }

    @Test func `what was written is read back`() throws {
        var generator = SeededGenerator(seed: 20)
        let numbers = (0..<200).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
        var writer = ByteWriter()
        for number in numbers {
            writer.littleEndian(number)
            writer.bigEndian(UInt32(truncatingIfNeeded: number))
        }
        var bytes = ByteReader(writer.bytes)
        for number in numbers {
            #expect(try bytes.littleEndian(UInt64.self, "whole") == number)
            #expect(try bytes.bigEndian(UInt32.self, "half") == UInt32(truncatingIfNeeded: number))
        }
        #expect(bytes.isAtEnd)
    }
}

struct HexTests {
    @Test func `every byte has two lower-case digits and comes back`() {
        let all = Array(UInt8.min...UInt8.max)
        let text = Hex.encode(all)
        #expect(text.count == 512)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hex.decode(text) == all)
        #expect(Hex.decode(text.uppercased()) == all)
        #expect(Hex.encode([UInt8]()) == "")
        #expect(Hex.decode("") == [])
    }

    @Test(arguments: [
        "0", "abc", "0g", "g0", " 00", "0 ", "+1", "-1", "0x", "٠٠", "é", "0\u{301}1", "ＡＢ", "0\0",
    ])
    func `anything but pairs of digits is nothing`(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
