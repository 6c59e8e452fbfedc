/// Parses numbers in an XML property list.
enum XMLScalar {
    /// The maximum number of characters: no tool writes longer numbers.
    private static let longest = 400

    /// Decimal or `0x` hexadecimal with an optional sign; nil for anything else, or a number beyond 64
    /// bits.
    static func integer(_ text: ArraySlice<UInt8>) -> PropertyList? {
        var digits = trimmed(text)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        var radix: UInt64 = 10
        if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
            radix = 16
            digits.removeFirst(2)
        }
        guard !digits.isEmpty, let magnitude = magnitude(digits, radix: radix) else { return nil }
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
        }
        return Int64(exactly: magnitude).map { .integer($0) } ?? .unsigned(magnitude)
    }

    private static func magnitude(_ digits: ArraySlice<UInt8>, radix: UInt64) -> UInt64? {
        var magnitude: UInt64 = 0
        for byte in digits {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else {
                return nil
            }
            let (shifted, tooBig) = magnitude.multipliedReportingOverflow(by: radix)
            let (sum, overflow) = shifted.addingReportingOverflow(UInt64(digit))
            guard !tooBig, !overflow else { return nil }
            magnitude = sum
        }
        return magnitude
    }

    /// A decimal number, `nan`, or `inf` with an optional sign; nil for one too large for a `Double`.
    static func real(_ text: ArraySlice<UInt8>) -> PropertyList? {
        let text = trimmed(text)
        guard text.count <= longest else { return nil }
        let spelling = String(decoding: text, as: UTF8.self).lowercased()
        switch spelling {
        case "nan": return .real(.nan)
        case "inf", "+inf", "infinity", "+infinity": return .real(.infinity)
        case "-inf", "-infinity": return .real(-.infinity)
        default: break
        }
        guard spelling.utf8.allSatisfy({ "0123456789+-.e".utf8.contains($0) }),
            let value = Double(spelling), value.isFinite
        else { return nil }
        return .real(value)
    }

    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let first = text.first, first.isXMLWhitespace { text.removeFirst() }
        while let last = text.last, last.isXMLWhitespace { text.removeLast() }
        return text
    }
}
