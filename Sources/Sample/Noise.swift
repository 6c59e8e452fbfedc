/// Reproducible bytes that deflate cannot compress, like images and code.
package struct Noise: Sendable {
    private var state: UInt64

    /// 64 KiB repeat: twice the window of deflate, so a large entry stays incompressible.
    static let period = 1 << 16

    package init(seed: String) {
        // FNV-1a, so that each name has its own stream.
        state = seed.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// `count` bytes from the start of the stream.
    package func bytes(_ count: Int) -> [UInt8] {
        var generator = self
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        let first = min(count, Self.period)
        while bytes.count < first {
            let word = generator.next()
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        bytes.removeLast(bytes.count - first)
        while bytes.count < count {
            bytes.append(contentsOf: bytes[..<min(first, count - bytes.count)])
        }
        return bytes
    }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
