import Bytes

/// The smallest program that can be signed: a header, two segments, the platform and room for one more
/// command.
struct BareProgram {
    let bytes: [UInt8]

    private static let textSize = 384
    private static let size = 400

    /// - Parameters:
    ///   - is64Bit: whether the program is for arm64; otherwise, it is for armv7.
    ///   - isSigned: whether it has an empty signature.
    init(is64Bit: Bool, isSigned: Bool = false) {
        let size = Self.size + (isSigned ? 16 : 0)
        var commands = ByteWriter()
        for (name, range) in [
            ("__TEXT", 0..<Self.textSize), ("__LINKEDIT", Self.textSize..<size),
        ] {
            commands.littleEndian(is64Bit ? 0x19 : 1 as UInt32)
            commands.littleEndian(is64Bit ? 72 : 56 as UInt32)
            commands.append(Array(name.utf8) + Array(repeating: 0, count: 16 - name.utf8.count))
            let address = range.lowerBound == 0 ? 0x4000 : 0x8000
            for word in [address, 0x4000, range.lowerBound, range.count] {
                if is64Bit {
                    commands.littleEndian(UInt64(word))
                } else {
                    commands.littleEndian(UInt32(word))
                }
            }
            for word in [5, 5, 0, 0] as [UInt32] { commands.littleEndian(word) }
        }
        // LC_BUILD_VERSION for iOS 15 and SDK 26.2, without tools.
        for word in [0x32, 24, 2, 0x000f_0000, 0x001a_0200, 0] as [UInt32] {
            commands.littleEndian(word)
        }
        if isSigned {
            // LC_CODE_SIGNATURE.
            for word in [0x1d, 16, UInt32(Self.size), 16] as [UInt32] {
                commands.littleEndian(word)
            }
        }
        var writer = ByteWriter()
        let header: [UInt32] =
            is64Bit ? [0xfeed_facf, 0x0100_000c, 0] : [0xfeed_face, 12, 9]
        for word in header + [2, isSigned ? 4 : 3, UInt32(commands.count), 0x0020_0085] {
            writer.littleEndian(word)
        }
        if is64Bit { writer.littleEndian(0 as UInt32) }
        writer.append(commands.bytes)
        writer.append(Array(repeating: 0, count: Self.size - writer.count))
        if isSigned {
            // An empty superblob, and padding.
            for word in [0xfade_0cc0, 12, 0, 0] as [UInt32] { writer.bigEndian(word) }
        }
        bytes = writer.bytes
    }

    /// A universal file with two of them.
    static let universal: [UInt8] = {
        var writer = ByteWriter()
        for word in [0xcafe_babe, 2] as [UInt32] { writer.bigEndian(word) }
        for word in [0x0100_000c, 0, 64, UInt32(size), 4] as [UInt32] { writer.bigEndian(word) }
        for word in [12, 9, UInt32(64 + size), UInt32(size), 4] as [UInt32] {
            writer.bigEndian(word)
        }
        writer.append(Array(repeating: 0, count: 64 - writer.count))
        return writer.bytes + BareProgram(is64Bit: true).bytes + BareProgram(is64Bit: false).bytes
    }()
}
