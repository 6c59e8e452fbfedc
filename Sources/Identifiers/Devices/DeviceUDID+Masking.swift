/// Masks device identifiers in logs and messages; only responses to admins contain them.
extension DeviceUDID {
    /// Replaces every device identifier in a text, including those without their hyphen.
    package static func masked(in text: String) -> String {
        guard hasLongHexRun(text) else { return text }
        var result = ""
        var word = ""
        // By Unicode scalars, because a mark after the last digit would combine with it.
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

    /// Replaces every sequence of groups in a word of digits and hyphens that is an identifier.
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
        // Without its hyphen, only the leading chip number distinguishes it from other numbers.
        return text.utf8.count == shortest && text.hasPrefix("0000")
            && text.utf8.allSatisfy { $0 != UInt8(ascii: "-") }
    }

    /// The number of digits in the form with 8 and 16 digits.
    private static let shortest = 24

    /// A fast check that most text does not pass.
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
