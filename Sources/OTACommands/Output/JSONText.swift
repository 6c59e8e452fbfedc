import Foundation

/// JSON as every command prints it: sorted keys, ISO 8601 dates, indented.
enum JSONText {
    static func encode(_ document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return escaped(String(decoding: try encoder.encode(document), as: UTF8.self))
    }

    /// The same JSON without what could steer the terminal that shows it; a server's names may hold
    /// anything, and the encoder leaves all but the first 32 characters as they are.
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
