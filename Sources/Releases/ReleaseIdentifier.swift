/// The name of a release inside its app: marketing version and build number.
///
/// Versions come out of a stranger's property list, so whatever is not a letter, digit, dot or
/// plus sign is written as `~` and two hexadecimal digits a byte. The text is therefore safe as a
/// file name and as a path component of a URL, and two different pairs never share one text.
package struct ReleaseIdentifier: Hashable, Sendable, Codable, CustomStringConvertible {
    /// `1.2.0-34`: one hyphen stands between the escaped version and the escaped build.
    package let rawValue: String

    package init(version: String, build: String) {
        rawValue = Self.escape(version) + "-" + Self.escape(build)
    }

    /// Takes back what ``rawValue`` gave out; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 200, !parts[0].isEmpty, !parts[1].isEmpty,
            text.utf8.allSatisfy({
                Self.isPlain($0) || $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "-")
            }),
            !text.hasPrefix(".")
        else { return nil }
        rawValue = text
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let identifier = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a release identifier")
            )
        }
        self = identifier
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package var description: String { rawValue }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for (index, byte) in text.utf8.enumerated() {
            let isLeadingDot = index == 0 && byte == UInt8(ascii: ".")
            if isPlain(byte), !isLeadingDot {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16)
                escaped += "~" + (digits.count == 1 ? "0" + digits : digits)
            }
        }
        return escaped.isEmpty ? "~" : escaped
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "+"):
            true
        default:
            false
        }
    }
}

extension ReleaseIdentifier {
    /// What every release of one version begins with, the hyphen included.
    package var versionPrefix: String {
        String(rawValue.prefix { $0 != "-" }) + "-"
    }
}
