/// Builds a byte array field by field.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { bytes.count }

    package mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    package mutating func littleEndian<Value: FixedWidthInteger>(_ value: Value) {
        for index in 0..<MemoryLayout<Value>.size {
            bytes.append(UInt8(truncatingIfNeeded: value >> (index * 8)))
        }
    }

    package mutating func bigEndian<Value: FixedWidthInteger>(_ value: Value) {
        littleEndian(value.byteSwapped)
    }

    /// Appends zeroes until the count is a multiple of `alignment`.
    package mutating func pad(to alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    /// Replaces bytes already written, for a length that is known only later.
    package mutating func overwrite(at offset: Int, with replacement: some Collection<UInt8>) {
        bytes.replaceSubrange(offset..<offset + replacement.count, with: replacement)
    }
}
