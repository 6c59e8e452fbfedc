/// Keeps device identifiers out of logs and messages; only answers to an admin have them.
extension DeviceUDID {
    /// Text with every device identifier replaced, also of those whose hyphen was left out.
    package static func masked(in text: String) -> String {
        guard hasLongHexRun(text) else { return text }
        var result = ""
        var word = ""
        // By scalars, for a mark on the last digit would make another character of it.
        for scalar in text.unicodeScalars {
            if scalar.properties.isASCIIHexDigit || scalar == "-" {
                word.unicodeScalars.append(scalar)
            } else {
                result += masked(word)
                result.unicodeScalars.append(scalar)
                word = ""
            }
        }
        return result + masked(word)
    }

    /// Digits and hyphens, with every row of groups replaced that is an identifier.
    private static func masked(_ word: String) -> String {
        guard word.utf8.count >= shortest else { return word }
        let groups = word.split(separator: "-", omittingEmptySubsequences: false)
        var shown: [String] = []
        var rest = groups[...]
        while let first = rest.first {
            let length = [5, 2, 1].first { count in
                rest.count >= count && isIdentifier(rest.prefix(count).joined(separator: "-"))
            }
            shown.append(length == nil ? String(first) : "(device)")
            rest = rest.dropFirst(length ?? 1)
        }
        return shown.joined(separator: "-")
    }

    private static func isIdentifier(_ text: String) -> Bool {
        if DeviceUDID(text) != nil { return true }
        // Without its hyphen, only the chip that it begins with distinguishes it from other numbers.
        return text.utf8.count == shortest && text.hasPrefix("0000")
            && text.utf8.allSatisfy { $0 != UInt8(ascii: "-") }
    }

    /// The digits of the form with 8 and 16.
    private static let shortest = 24

    /// Most text is let through at once.
    private static func hasLongHexRun(_ text: String) -> Bool {
        var run = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
                run += 1
                if run >= shortest { return true }
            default:
                run = 0
            }
        }
        return false
    }
}
