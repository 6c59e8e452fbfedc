import Foundation

/// A property of an action that the client sends in the path or the query of the URL.
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
    /// Makes the action from the parts of a request.
    ///
    /// - Parameters:
    ///   - values: those of the path and the query, by name.
    ///   - content: the body.
    /// - Throws: `DecodingError` where a value is missing or of another kind than its property.
    package init(_ values: [String: ActionValue], _ content: Content) throws {
        let request = ActionCoding.Request(values: values, content: content)
        self = try JSONDecoder().decode(Self.self, from: JSONEncoder().encode(request))
    }

    /// The segments of the path behind `/api/v1` and the parameters of the query, not yet escaped.
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

/// Actions as JSON: the values of path and query beside the body, which is `content`.
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
