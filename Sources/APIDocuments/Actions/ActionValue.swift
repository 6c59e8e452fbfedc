import Foundation

/// A property of an action that is sent in the path or query of the URL.
package enum ActionValue: Codable, Equatable, Sendable {
    case flag(Bool)
    case number(Int)
    case text(String)

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }

    /// The value as text for a URL, not yet percent-encoded.
    package var text: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .text(let text): text
        }
    }
}

extension Action {
    /// Creates the action from the parts of a request.
    ///
    /// - Parameters:
    ///   - values: the values of the path and query, by name.
    ///   - content: the body.
    /// - Throws: `DecodingError` if a value is missing or does not have the type of its property.
    package init(_ values: [String: ActionValue], _ content: Content) throws {
        let request = ActionCoding.Request(values: values, content: content)
        self = try JSONDecoder().decode(Self.self, from: JSONEncoder().encode(request))
    }

    /// The path segments after `/api/v1` and the query parameters, not percent-encoded.
    package var address: (path: [String], query: [(name: String, value: String)]) {
        get throws {
            let values = try JSONDecoder().decode(
                ActionCoding.Values.self,
                from: JSONEncoder().encode(self),
            ).values
            let path = Self.route.path.split(separator: "/").map { part in
                guard part.hasPrefix("{") else { return String(part) }
                return values[String(part.dropFirst().dropLast())]?.text ?? ""
            }
            let query = Self.route.query.compactMap { parameter in
                values[parameter.name].map { (name: parameter.name, value: $0.text) }
            }
            return (path, query)
        }
    }
}

/// Converts actions to and from JSON: the path and query values, and the body under the key `content`.
private enum ActionCoding {
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        static let content = Key("content")
    }

    struct Request<Content: Encodable>: Encodable {
        let values: [String: ActionValue]
        let content: Content

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (name, value) in values { try container.encode(value, forKey: Key(name)) }
            try container.encode(content, forKey: .content)
        }
    }

    struct Values: Decodable {
        let values: [String: ActionValue]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            values = try container.allKeys.filter { $0.stringValue != "content" }
                .reduce(into: [:]) { values, key in
                    values[key.stringValue] = try container.decodeIfPresent(
                        ActionValue.self,
                        forKey: key,
                    )
                }
        }
    }
}
