/// Searches for end records byte by byte, as unpackers do.
enum Signature {
    static let localHeader: [UInt8] = [0x50, 0x4B, 3, 4]
    static let centralHeader: [UInt8] = [0x50, 0x4B, 1, 2]
    static let zip64Locator: [UInt8] = [0x50, 0x4B, 6, 7]

    /// Every position at which `signature` begins, in little-endian order.
    static func positions(of signature: UInt32, in bytes: [UInt8]) -> [Int] {
        var positions: [Int] = []
        var window: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            window = window >> 8 | UInt32(byte) << 24
            if window == signature, index >= 3 { positions.append(index - 3) }
        }
        return positions
    }

    /// The comment length in the end record at `position`, which has at least 22 bytes.
    static func commentLength(at position: Int, in bytes: [UInt8]) -> Int {
        Int(bytes[position + 20]) | Int(bytes[position + 21]) << 8
    }
}
