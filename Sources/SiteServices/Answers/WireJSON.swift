package import Foundation

/// JSON as the server writes it everywhere: sorted keys, ISO 8601 dates, slashes as they are.
package enum WireJSON {
    /// Encodes a value.
    ///
    /// - Throws: what the value's own encoding throws.
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(value)
    }

    /// Encodes a value as a document of its own, with a line break at its end.
    package static func document(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self) + "\n"
    }
}
