/// Base 64 (RFC 4648, section 4) as it stands in a data element.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    /// The value of each byte; 64 for whitespace, 65 for what has no place here.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 65, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        for byte in 0..<UInt8.max where byte.isXMLWhitespace { values[Int(byte)] = 64 }
        return values
    }()

    /// Decodes digits between which whitespace may lie; nil for any other byte, for padding that is
    /// missing or too much, and for a last digit with bits that nothing uses.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let values = values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var index = text.startIndex
        while index < text.endIndex {
            let value = values[Int(text[index])]
            if value > 64 { break }
            index += 1
            if value == 64 { continue }
            group = group << 6 | UInt32(value)
            digits += 1
            guard digits == 4 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            bytes.append(UInt8(truncatingIfNeeded: group >> 8))
            bytes.append(UInt8(truncatingIfNeeded: group))
            group = 0
            digits = 0
        }
        let tail = text[index...].filter { !$0.isXMLWhitespace }
        switch digits {
        case 0 where tail.isEmpty:
            break
        case 2 where tail == [padding, padding] && group & 0xF == 0:
            bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3 where tail == [padding] && group & 0x3 == 0:
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        default:
            return nil
        }
        return bytes
    }

    /// The digits of `bytes` with padding, in one line.
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = Swift.min(3, bytes.count - start)
            var group: UInt32 = 0
            for index in 0..<3 {
                group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0)
            }
            for digit in 0..<4 {
                text.append(digit > count ? padding : alphabet[Int(group >> (18 - 6 * digit) & 63)])
            }
        }
        return text
    }
}
