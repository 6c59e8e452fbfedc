import Bytes

/// The smallest linked program that can be signed: two segments, of which the last is `__LINKEDIT`.
enum LinkedProgram {
    private static let textSize = 512
    private static let tableSize = 32

    /// Without a signature, but with room for its load command.
    static let unsigned = program(signature: nil)

    /// With an empty signature, which is replaced.
    static let signed = program(signature: Array(repeating: 0, count: 64))

    /// Two slices on separate pages.
    static let universal: [UInt8] = {
        var writer = ByteWriter()
        for word in [0xcafe_babe, 2] as [UInt32] { writer.bigEndian(word) }
        let size = UInt32(unsigned.count)
        for (subtype, offset) in [(0, 64), (2, 1024)] as [(UInt32, UInt32)] {
            for word in [0x0100_000c, subtype, offset, size, 4] { writer.bigEndian(word) }
        }
        for (subtype, offset) in [(0, 64), (2, 1024)] as [(UInt8, Int)] {
            writer.append(Array(repeating: 0, count: offset - writer.count))
            var slice = unsigned
            slice[8] = subtype
            writer.append(slice)
        }
        return writer.bytes
    }()

    private static func program(signature: [UInt8]?) -> [UInt8] {
        let linkEdit = tableSize + (signature?.count ?? 0)
        var commands = ByteWriter()
        segment("__TEXT", 0x1_0000_0000, 0..<textSize, &commands)
        segment("__LINKEDIT", 0x1_0000_4000, textSize..<textSize + linkEdit, &commands)
        // LC_BUILD_VERSION for iOS 15, and LC_MAIN.
        for word in [0x32, 24, 2, 0x000f_0000, 0x001a_0200, 0] as [UInt32] {
            commands.littleEndian(word)
        }
        for word in [0x8000_0028, 24, 0, 0, 0, 0] as [UInt32] { commands.littleEndian(word) }
        if let signature {
            for word in [0x1d, 16, UInt32(textSize + tableSize), UInt32(signature.count)] {
                commands.littleEndian(word)
            }
        }
        var writer = ByteWriter()
        let header: [UInt32] = [
            0xfeed_facf, 0x0100_000c, 0, 2, signature == nil ? 4 : 5, UInt32(commands.count),
            0x0020_0085, 0,
        ]
        for word in header { writer.littleEndian(word) }
        writer.append(commands.bytes)
        writer.append(Array(repeating: 0, count: textSize - writer.count))
        writer.append(Array(repeating: 0x20, count: tableSize))
        writer.append(signature ?? [])
        return writer.bytes
    }

    private static func segment(
        _ name: String,
        _ address: UInt64,
        _ file: Range<Int>,
        _ writer: inout ByteWriter,
    ) {
        for word in [0x19, 72] as [UInt32] { writer.littleEndian(word) }
        writer.append(Array(name.utf8) + Array(repeating: 0, count: 16 - name.utf8.count))
        let numbers = [address, 0x4000, UInt64(file.lowerBound), UInt64(file.count)]
        for number in numbers { writer.littleEndian(number) }
        for word in [5, 5, 0, 0] as [UInt32] { writer.littleEndian(word) }
    }
}
