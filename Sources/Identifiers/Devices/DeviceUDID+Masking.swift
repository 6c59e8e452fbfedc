/// Keeps device identifiers out of logs and messages; only answers to an admin have them.
extension DeviceUDID {
    /// Text with every device identifier replaced.
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

    private static func masked(_ word: String) -> String {
        DeviceUDID(word) == nil ? word : "(device)"
    }

    /// No identifier is shorter than 25 characters: most text is let through at once.
    private static func hasLongHexRun(_ text: String) -> Bool {
        var run = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
                run += 1
                if run >= 25 { return true }
            default:
                run = 0
            }
        }
        return false
    }
}
