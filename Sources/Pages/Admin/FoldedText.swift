import Foundation

/// Text for searching and sorting: without case and accents, and with numbers in numerical order.
package struct FoldedText: Sendable, Equatable {
    private let bytes: [UInt8]

    package init(_ text: some StringProtocol) {
        bytes = Array(Self.folded(String(text)).utf8)
    }

    /// Returns whether the other text occurs in this one.
    package func contains(_ other: FoldedText) -> Bool {
        let needle = other.bytes
        guard let first = needle.first else { return true }
        var start = 0
        while start + needle.count <= bytes.count {
            if bytes[start] == first {
                var length = 1
                while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
                if length == needle.count { return true }
            }
            start += 1
        }
        return false
    }

    /// Bytes that sort in the order that people expect: `iPad 5` before `iPad 49`.
    ///
    /// Each run of digits, without leading zeros, is preceded by its length.
    package var sortingKey: [UInt8] {
        var key: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            guard Self.isDigit(byte) else {
                key.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix(while: Self.isDigit)
            rest = rest.dropFirst(digits.count)
            let number = digits.drop { $0 == UInt8(ascii: "0") }
            key.append(UInt8(ascii: "0"))
            key.append(UInt8(clamping: number.count))
            key += number
        }
        return key
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func folded(_ text: String) -> String {
        let small = text.lowercased()
        guard !small.utf8.allSatisfy({ $0 < 0x80 }) else { return small }
        var folded = ""
        for scalar in small.decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar.value {
            // The combining accents of Latin, Greek and Cyrillic letters.
            case 0x300...0x36F: continue
            default:
                if let plain = plain[scalar] {
                    folded += plain
                } else {
                    folded.unicodeScalars.append(scalar)
                }
            }
        }
        return folded
    }

    /// Letters that Unicode does not decompose.
    private static let plain: [Unicode.Scalar: String] = [
        "ß": "ss", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i",
        "þ": "th",
        "ħ": "h", "’": "'", "‘": "'",
    ]
}
