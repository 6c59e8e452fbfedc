import Bytes

extension PropertyList {
    /// Encodes the binary form with sorted keys and equal values stored once: equal trees give equal
    /// bytes.
    ///
    /// Foundation's encoder cannot write UIDs.
    package func binary() -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        _ = writer.add(self)
        return writer.document()
    }
}

/// Collects the objects of a tree before writing, because the size of a reference depends on their
/// number.
private struct BinaryPropertyListWriter {
    private enum Object {
        case leaf([UInt8])
        case array([Int])
        /// The references of the keys, then those of the values.
        case dictionary([Int])
    }

    private var objects: [Object] = []
    /// The index of each leaf, by its encoded bytes.
    private var leaves: [[UInt8]: Int] = [:]

    /// Adds a value with its descendants and returns its index.
    mutating func add(_ value: PropertyList) -> Int {
        switch value {
        case .array(let elements):
            let index = reserve()
            objects[index] = .array(elements.map { add($0) })
            return index
        case .dictionary(let pairs):
            let index = reserve()
            let pairs = PropertyList.sorted(pairs)
            let keys = pairs.map { add(leaf: .string($0.key)) }
            objects[index] = .dictionary(keys + pairs.map { add($0.value) })
            return index
        default:
            return add(leaf: value)
        }
    }

    private mutating func reserve() -> Int {
        objects.append(.array([]))
        return objects.count - 1
    }

    private mutating func add(leaf: PropertyList) -> Int {
        let bytes = BinaryLeaf.bytes(of: leaf)
        if let index = leaves[bytes] { return index }
        objects.append(.leaf(bytes))
        leaves[bytes] = objects.count - 1
        return objects.count - 1
    }

    func document() -> [UInt8] {
        var bytes = ByteWriter()
        bytes.append(BinaryTrailer.header)
        let referenceSize = BinaryLeaf.width(of: objects.count)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .leaf(let leaf):
                bytes.append(leaf)
            case .array(let references):
                bytes.append(BinaryLeaf.marker(0xA0, count: references.count))
                for reference in references { bytes.append(reference.bytes(referenceSize)) }
            case .dictionary(let references):
                bytes.append(BinaryLeaf.marker(0xD0, count: references.count / 2))
                for reference in references { bytes.append(reference.bytes(referenceSize)) }
            }
        }
        let table = bytes.count
        let offsetSize = BinaryLeaf.width(of: table)
        for offset in offsets { bytes.append(offset.bytes(offsetSize)) }
        bytes.append([0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        bytes.bigEndian(UInt64(objects.count))
        bytes.bigEndian(UInt64(0))
        bytes.bigEndian(UInt64(table))
        return bytes.bytes
    }
}

/// Encodes objects without references.
private enum BinaryLeaf {
    static func bytes(of leaf: PropertyList) -> [UInt8] {
        var bytes = ByteWriter()
        switch leaf {
        case .boolean(let flag):
            bytes.append([flag ? 0x09 : 0x08])
        case .integer(let number):
            let width = number < 0 ? 8 : Self.width(of: Int(number))
            bytes.append([0x10 | UInt8(width.trailingZeroBitCount)])
            bytes.append(Int(number).bytes(width))
        case .unsigned(let number):
            bytes.append([0x14])
            bytes.bigEndian(UInt64(0))
            bytes.bigEndian(number)
        case .real(let number):
            bytes.append([0x23])
            bytes.bigEndian(number.bitPattern)
        case .date(let date):
            bytes.append([0x33])
            bytes.bigEndian(CivilTime.secondsSince2001(date).bitPattern)
        case .data(let data):
            bytes.append(marker(0x40, count: data.count))
            bytes.append(data)
        case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
            bytes.append(marker(0x50, count: text.utf8.count))
            bytes.append(text.utf8)
        case .string(let text):
            bytes.append(marker(0x60, count: text.utf16.count))
            for unit in text.utf16 { bytes.bigEndian(unit) }
        case .uid(let number):
            let width = Int(exactly: number).map { Self.width(of: $0) } ?? 8
            bytes.append([0x80 | UInt8(width - 1)])
            bytes.append(Int(truncatingIfNeeded: number).bytes(width))
        case .array, .dictionary:
            break
        }
        return bytes.bytes
    }

    static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
        guard count >= 15 else { return [kind | UInt8(count)] }
        let width = Self.width(of: count)
        return [kind | 15, 0x10 | UInt8(width.trailingZeroBitCount)] + count.bytes(width)
    }

    /// The smallest of 1, 2, 4 and 8 bytes that fits a non-negative number.
    static func width(of number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}

extension Int {
    /// The lowest `width` bytes, in big-endian order.
    fileprivate func bytes(_ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
