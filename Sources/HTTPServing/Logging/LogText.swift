/// Writes values to log lines, which are UTF-8 bytes.
enum LogText {
    /// The most scalars of a value; a longer one is cut and ends in `…`.
    private static let longest = 512

    /// Appends the value as it is if it is plain, and otherwise in quotes with escapes.
    ///
    /// A line remains one line of bounded length, and a terminal's control sequences become text.
    static func append(_ text: String, to line: inout [UInt8]) {
        if !text.isEmpty, text.utf8.count <= longest, text.utf8.allSatisfy(isPlain) {
            line += text.utf8
            return
        }
        line.append(UInt8(ascii: "\""))
        var room = longest
        for scalar in text.unicodeScalars {
            guard room > 0 else {
                line += "…".utf8
                break
            }
            room -= 1
            append(scalar, to: &line)
        }
        line.append(UInt8(ascii: "\""))
    }

    /// Appends a duration in milliseconds with one decimal, such as `12.3`.
    static func append(milliseconds duration: Duration, to line: inout [UInt8]) {
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        line += "\(tenths / 10)".utf8
        line.append(UInt8(ascii: "."))
        line += "\(tenths % 10)".utf8
    }

    /// Appends a line's time, in UTC: `time="Sat, 21 Nov 2026 10:00:00 GMT"`.
    static func appendTime(to line: inout [UInt8]) {
        line += "time=\"".utf8
        line += HTTPDate.now.utf8
        line.append(UInt8(ascii: "\""))
    }

    /// Appends a scalar, escaped for a quoted value.
    private static func append(_ scalar: Unicode.Scalar, to line: inout [UInt8]) {
        switch scalar {
        case "\"": line += "\\\"".utf8
        case "\\": line += "\\\\".utf8
        case "\n": line += "\\n".utf8
        case "\r": line += "\\r".utf8
        case "\t": line += "\\t".utf8
        case "\u{20}"..."\u{7E}": line.append(UInt8(ascii: scalar))
        default:
            if isPrintable(scalar) {
                line += String(scalar).utf8
            } else {
                line += "\\u{\(String(scalar.value, radix: 16))}".utf8
            }
        }
    }

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
