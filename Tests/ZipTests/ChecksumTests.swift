import Testing
import Zip

/// ZIP's CRC-32, which is computed sixteen bytes at a time if the processor supports it.
struct ChecksumTests {
    /// Bit by bit, according to PKWARE's APPNOTE (4.4.7).
    private static func reference(_ checksum: UInt32, over bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = ~checksum
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
        }
        return ~sum
    }

    private static func checksum(_ checksum: UInt32, over bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe crc32(checksum, over: $0) }
    }

    @Test func `the checksum of digits is the one that is published`() {
        #expect(Self.checksum(0, over: Array("123456789".utf8)[...]) == 0xcbf4_3926)
        #expect(Self.checksum(7, over: []) == 7)
    }

    @Test func `any number of bytes from any place has the checksum that bits give`() {
        var state: UInt64 = 88_172_645_463_325_252
        let bytes = (0..<1200).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
        let counts = Array(0...160) + [191, 192, 193, 255, 256, 511, 512, 527, 1023, 1024, 1100]
        for count in counts {
            let start = count % 23
            let part = bytes[start..<start + count]
            #expect(
                Self.checksum(UInt32(count), over: part)
                    == Self.reference(UInt32(count), over: part),
                "\(count)",
            )
        }
    }

    @Test func `pieces one after another have the checksum of the whole`() {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
        let whole = Self.checksum(0, over: bytes[...])
        for size in [1, 15, 64, 65, 1000, 4096] {
            var sum: UInt32 = 0
            for start in stride(from: 0, to: bytes.count, by: size) {
                sum = Self.checksum(sum, over: bytes[start..<min(start + size, bytes.count)])
            }
            #expect(sum == whole, "\(size)")
        }
    }
}
