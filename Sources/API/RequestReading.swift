import APIDocuments
import Bytes
import Foundation
import Problems

/// Decodes request bodies.
enum RequestReading {
    /// - Throws: ``Problem`` for a body that is not an object, or has an unknown key.
    static func value<Value: ActionContent>(
        _ type: Value.Type,
        from bytes: [UInt8],
    ) throws -> Value {
        let data = Data(bytes)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom(date)
        do {
            let found = try decoder.decode(Keys.self, from: data)
            try check(found.names, Value.keys)
            for (name, keys) in Value.innerKeys { try check(found.inner[name] ?? [], keys) }
            return try decoder.decode(type, from: data)
        } catch let error as DecodingError {
            throw Problem.malformedBody(explanation(error), fix: "see /public/openapi.yaml")
        }
    }

    /// Decodes an ISO 8601 date, with or without fractions of a second.
    @Sendable private static func date(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let styles = [
            Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
        ]
        for style in styles {
            if let date = try? style.parse(text) { return date }
        }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "not a date",
                underlyingError: WrongText(wanted: "a date such as 2027-03-14T12:00:00Z"),
            )
        )
    }

    private static func check(_ found: Set<String>, _ known: Set<String>) throws(Problem) {
        guard let stranger = found.subtracting(known).min() else { return }
        throw .malformedBody(
            "the body has the unknown key \(quoted: stranger.prefix(60))",
            fix: "use "
                + (known.isEmpty ? "an empty object" : known.sorted().joined(separator: ", ")),
        )
    }

    private struct Keys: Decodable {
        let names: Set<String>
        /// The keys of nested objects.
        let inner: [String: Set<String>]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            names = Set(container.allKeys.map(\.stringValue))
            inner = container.allKeys.reduce(into: [:]) { inner, key in
                let object = try? container.nestedContainer(keyedBy: Name.self, forKey: key)
                inner[key.stringValue] = object.map { Set($0.allKeys.map(\.stringValue)) }
            }
        }

        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    static func explanation(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\(quoted: key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            explanation(context, error.wanted, whole: "no object")
        case .dataCorrupted(let context): explanation(context, error.wanted, whole: "not JSON")
        @unknown default: "the body is not valid"
        }
    }

    private static func explanation(
        _ context: DecodingError.Context,
        _ wanted: String?,
        whole: String,
    ) -> String {
        guard !context.codingPath.isEmpty else { return "the body is \(whole)" }
        let place = DecodingError.place(of: context.codingPath)
        return wanted.map { "\(place) must be \($0)" } ?? "\(place) cannot be read"
    }
}
