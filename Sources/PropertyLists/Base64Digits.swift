/// Decodes Base64 (RFC 4648 section 4) with padding.
///
/// Each value has one encoding, apart from white space. Foundation's decoder would need a copy without the
/// white space, and accepts a last digit with unused bits set. A seal has two digests for each file, so this
/// is a large part of reading one.
enum Base64Digits {
    /// - Returns: the bytes; nil for text that is not an encoding.
    static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var word: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text {
            let digit = values[Int(byte)]
            if digit < 64 {
                guard padding == 0 else { return nil }
                word = word << 6 | UInt32(digit)
            } else if byte == UInt8(ascii: "=") {
                padding += 1
                word <<= 6
            } else if byte.isXMLWhitespace {
                continue
            } else {
                return nil
            }
            count += 1
            guard count == 4 else { continue }
            // Bits that belong to no byte must be zero.
            guard padding <= 2, word & (padding == 2 ? 0xFFFF : padding == 1 ? 0xFF : 0) == 0
            else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: word >> 16))
            if padding < 2 { bytes.append(UInt8(truncatingIfNeeded: word >> 8)) }
            if padding < 1 { bytes.append(UInt8(truncatingIfNeeded: word)) }
            (word, count) = (0, 0)
        }
        return count == 0 ? bytes : nil
    }

    /// The value of each byte as a digit; 0xFF for bytes that are not digits.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in alphabet.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
}
