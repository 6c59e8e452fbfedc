/// A binary property list, assembled object by object, including invalid ones.
struct BinaryDocument {
    var objects: [[UInt8]]
    var offsetSize: UInt8 = 2
    var referenceSize: UInt8 = 1
    var topObject: UInt64 = 0
    /// Numbers that the trailer claims instead of the correct ones.
    var claimedCount: UInt64?
    var claimedTable: UInt64?
    var claimedOffsets: [Int: UInt64] = [:]

    init(_ objects: [UInt8]...) {
        self.objects = objects
    }

    init(objects: [[UInt8]]) {
        self.objects = objects
    }

    var bytes: [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt64] = []
        for (index, object) in objects.enumerated() {
            offsets.append(claimedOffsets[index] ?? UInt64(bytes.count))
            bytes += object
        }
        let table = UInt64(bytes.count)
        for offset in offsets { bytes += Self.bigEndian(offset).suffix(Int(offsetSize)) }
        bytes += [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
        bytes += Self.bigEndian(claimedCount ?? UInt64(objects.count))
        bytes += Self.bigEndian(topObject)
        bytes += Self.bigEndian(claimedTable ?? table)
        return bytes
    }

    static func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// Arrays of ten references to the next array: 10 to the power of `levels` strings in total.
    static func tower(levels: Int) -> BinaryDocument {
        let arrays = (1...levels).map { [0xAA] + [UInt8](repeating: UInt8($0), count: 10) }
        return BinaryDocument(objects: arrays + [[0x51, 0x61]])
    }
}
