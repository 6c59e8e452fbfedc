package import Foundation

/// JSON as the server always writes it: sorted keys, ISO 8601 dates, unescaped slashes.
package enum WireJSON {
    /// Encodes a value.
    ///
    /// - Throws: the error of the value's own encoding.
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(value)
    }

    /// Encodes a value as a separate document, which ends with a line feed.
    package static func document(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self) + "\n"
    }
}
