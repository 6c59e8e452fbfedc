import Bytes
import Essentials

/// How values become documents: JSON with sorted keys and ISO 8601 dates, for people to read.
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

    /// One line for a journal.
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

    /// Reads a document of a schema that this version knows.
    ///
    /// - Throws: ``StoreFailure/newerSchema(path:found:known:)`` before anything else of the
    ///   document is decoded, and ``StoreFailure/unreadable(path:offset:reason:)``.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8],
        path: String,
    ) throws(StoreFailure) -> Value {
        try value(Versioned<Value>.self, from: bytes, path: path).value
    }

    /// Refuses a document of a later schema than this version knows; one that cannot be read is not
    /// judged.
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

    /// No document has a later one.
    private static let newestSchema = 1

    /// Reads JSON that carries no schema, such as one line of a journal.
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

    /// A document that is decoded in one pass, its schema first.
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
