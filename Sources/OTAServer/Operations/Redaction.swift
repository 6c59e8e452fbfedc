import Bundles

/// What the log must not give away: capabilities, queries, device identifiers.
enum Redaction {
    /// A request's target without its query, with capabilities shortened and devices masked.
    static func target(_ target: String) -> String {
        var path = String(target.prefix { $0 != "?" })
        if path.contains("%") { path = decoded(path) }
        for folder in ["/install/", "/enrol/"] where path.hasPrefix(folder) {
            let secret = path.dropFirst(folder.count).prefix { $0 != "/" }
            guard secret.count > 6 else { break }
            let rest = path.dropFirst(folder.count + secret.count)
            path = folder + secret.prefix(6) + "…" + rest
        }
        return devices(in: path) + (target.contains("?") ? "?…" : "")
    }

    /// Text with every device identifier replaced.
    static func devices(in text: String) -> String {
        guard hasLongHexRun(text) else { return text }
        var result = ""
        var word = ""
        for character in text {
            if character.isHexDigit || character == "-" {
                word.append(character)
            } else {
                result += masked(word)
                result.append(character)
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

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2,
                let escaped = UInt8(digits, radix: 16)
            {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
