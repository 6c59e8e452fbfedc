import Bytes
import Cryptography

/// The identifier of a release within its app: marketing version and build number.
///
/// The versions come from an untrusted property list. Every byte that is not a letter, digit, dot or plus
/// sign is therefore escaped as `~` and two hexadecimal digits, and a part that would be too long for a
/// file name is cut and ends in `~~` and its digest. The text is safe as a file name and as a path
/// component of a URL, and two different pairs never have the same text.
package struct ReleaseIdentifier: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The text `1.2.0-34`: the escaped version, a hyphen, and the escaped build.
    package let rawValue: String

    package init(version: String, build: String) {
        rawValue = Self.escape(version) + "-" + Self.escape(build)
    }

    /// Parses a ``rawValue``; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(Self.isEscaped) else { return nil }
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

    /// The maximum length in bytes of each part: with the hyphen and `.json`, a file name has at most 198
    /// bytes.
    private static let partLimit = 96

    /// Escapes a leading dot or plus sign too, so that no part starts with punctuation.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for (index, byte) in text.utf8.enumerated() {
            if isPlain(byte), index > 0 || isLetterOrDigit(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "~" + Hex.encode([byte])
            }
        }
        if escaped.isEmpty { return "~" }
        guard escaped.utf8.count > partLimit else { return escaped }
        let digest = SHA256Digest(of: Array(text.utf8)).description
        return escaped.prefix(partLimit - digest.utf8.count - 2) + "~~" + digest
    }

    /// Whether the part is a possible result of ``escape(_:)``.
    private static func isEscaped(_ part: Substring) -> Bool {
        let bytes = Array(part.utf8)
        if bytes.count == partLimit, bytes[30] == tilde, bytes[31] == tilde {
            let digest = SHA256Digest(hex: String(part.suffix(64)))
            return bytes[..<30].allSatisfy { isPlain($0) || $0 == tilde }
                && digest.map { part.hasSuffix($0.description) } ?? false
        }
        return unescape(bytes).map { escape($0) == part } ?? false
    }

    private static func unescape(_ bytes: [UInt8]) -> String? {
        guard bytes != [tilde] else { return "" }
        var text: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == tilde else {
                text.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard let decoded = Hex.decode(digits)?.first else { return nil }
            text.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: text, as: UTF8.self)
    }

    private static let tilde = UInt8(ascii: "~")

    private static func isPlain(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default:
            false
        }
    }
}

extension ReleaseIdentifier {
    /// The common prefix of all releases with its version, including the hyphen.
    package var versionPrefix: String {
        String(rawValue.prefix { $0 != "-" }) + "-"
    }
}
