import Bytes
import Essentials

/// Encodes values as documents: JSON with sorted keys and ISO 8601 dates, readable by people.
enum DocumentCoding {
    static func encode(
        _ value: some Encodable,
        for name: DocumentName,
    ) throws(StoreFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
        } catch {
            throw .unreadable(path: name.path, offset: nil, reason: "it has no JSON form")
        }
    }

    /// Encodes a value as one line of a journal.
    static func line(
        _ value: some Encodable,
        for name: DocumentName,
    ) throws(StoreFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw .unreadable(path: name.path, offset: nil, reason: "it has no JSON form")
        }
    }

    /// Decodes a document whose schema this version knows.
    ///
    /// - Throws: ``StoreFailure/newerSchema(path:found:known:)`` before anything else of the document is
    ///   decoded, and ``StoreFailure/unreadable(path:offset:reason:)``.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8],
        path: String,
    ) throws(StoreFailure) -> Value {
        try value(Versioned<Value>.self, from: bytes, path: path).value
    }

    /// Throws for a document with a newer schema than this version knows; ignores one that cannot be
    /// decoded.
    ///
    /// - Throws: ``StoreFailure/newerSchema(path:found:known:)``.
    static func checkSchema(of bytes: [UInt8], path: String) throws(StoreFailure) {
        do throws(StoreFailure) {
            let found = try value(Schema.self, from: bytes, path: path).schema
            guard found <= newestSchema else {
                throw .newerSchema(path: path, found: found, known: newestSchema)
            }
        } catch {
            if case .newerSchema = error { throw error }
        }
    }

    /// The newest schema that this version knows.
    private static let newestSchema = 1

    /// Decodes JSON without a schema, such as one line of a journal.
    static func value<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8],
        path: String,
    ) throws(StoreFailure) -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom(StoredDate.decode)
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch let error as NewerSchema {
            throw .newerSchema(path: path, found: error.found, known: newestSchema)
        } catch let error as DecodingError {
            throw .unreadable(
                path: path,
                offset: JSONDamage.offset(in: bytes),
                reason: error.explanation,
            )
        } catch {
            throw .unreadable(
                path: path,
                offset: nil,
                reason: "its JSON does not have the expected form",
            )
        }
    }

    private struct Schema: Decodable {
        let schema: Int
    }

    /// A document decoded in one pass, starting with its schema.
    private struct Versioned<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let found = try Schema(from: decoder).schema
            guard found <= newestSchema else { throw NewerSchema(found: found) }
            value = try Value(from: decoder)
        }
    }

    private struct NewerSchema: Error {
        let found: Int
    }
}

extension DecodingError {
    fileprivate var explanation: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context.codingPath))\(quoted: key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(Self.place(context.codingPath))has the wrong type"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "it is not valid JSON"
        case .dataCorrupted(let context):
            "\(Self.place(context.codingPath))is \(context.debugDescription)"
        @unknown default:
            "its JSON does not have the expected form"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        let names = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return names.joined(separator: ".") + " "
    }
}
