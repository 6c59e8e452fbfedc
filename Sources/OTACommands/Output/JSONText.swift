import Foundation

/// JSON in the format of every command: sorted keys, ISO 8601 dates, indented.
enum JSONText {
    static func encode(_ document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return escaped(String(decoding: try encoder.encode(document), as: UTF8.self))
    }

    /// Escapes what could control the terminal that shows the JSON.
    ///
    /// A server's names may contain anything, and the encoder only escapes the first 32 characters.
    private static func escaped(_ text: String) -> String {
        let isStrange = { (scalar: Unicode.Scalar) in
            scalar.steersTerminal && scalar != "\n" && scalar.value <= 0xFFFF
        }
        guard text.unicodeScalars.contains(where: isStrange) else { return text }
        return text.replacingScalars { scalar in
            guard isStrange(scalar) else { return nil }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
