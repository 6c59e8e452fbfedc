/// Escapes values for a line of the log.
package enum LogText {
    /// Scalars of a value; what is longer is cut, and ends in `…`.
    private static let longest = 512

    /// The value as it is when it is plain, and in quotes with escapes otherwise.
    ///
    /// A line stays one line of bounded length, and a terminal's control sequences stay text.
    package static func value(_ text: String) -> String {
        if !text.isEmpty, text.utf8.count <= longest, text.utf8.allSatisfy(isPlain) { return text }
        var quoted = "\""
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex)
        for scalar in scalars[..<(end ?? scalars.endIndex)] {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default:
                if isPrintable(scalar) {
                    quoted.unicodeScalars.append(scalar)
                } else {
                    quoted += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
        let isCut = end.map { $0 < scalars.endIndex } ?? false
        return quoted + (isCut ? "…\"" : "\"")
    }

    /// `12.3`, in milliseconds with one decimal.
    static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The time of a line, UTC: `time="Sat, 21 Nov 2026 10:00:00 GMT"`.
    package static func timestamp() -> String { "time=\"\(HTTPDate.now)\"" }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
            && byte != UInt8(ascii: "\\")
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default:
            true
        }
    }
}
