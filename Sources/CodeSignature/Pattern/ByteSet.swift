/// A set of byte values.
struct ByteSet: Hashable, Sendable {
    private var words: SIMD4<UInt64> = .zero

    static let all = ByteSet().inverted

    init() {}

    init(_ byte: UInt8) {
        insert(byte)
    }

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    func contains(_ byte: UInt8) -> Bool {
        words[Int(byte >> 6)] & (1 << UInt64(byte & 63)) != 0
    }

    mutating func insert(_ byte: UInt8) {
        words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
    }

    mutating func formUnion(_ other: ByteSet) {
        words |= other.words
    }

    var inverted: ByteSet {
        var copy = self
        copy.words = ~words
        return copy
    }
}
