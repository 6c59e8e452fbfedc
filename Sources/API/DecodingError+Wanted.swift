import Bytes

extension DecodingError {
    /// What the value should have been, according to its type; nil if the type does not tell.
    var wanted: String? {
        switch self {
        case .typeMismatch(let type, _), .valueNotFound(let type, _): Self.kind(of: type)
        case .dataCorrupted(let context): (context.underlyingError as? WrongText)?.wanted
        default: nil
        }
    }

    /// The path of the value, such as `events.0`; empty for the whole document.
    ///
    /// Keys come from the client and are therefore escaped.
    static func place(of path: [any CodingKey]) -> String {
        path.map { key in
            key.intValue.map(String.init)
                ?? PrintableText(escaping: key.stringValue, limit: 60).text
        }
        .joined(separator: ".")
    }

    /// The JSON name of a type.
    private static func kind(of type: Any.Type) -> String {
        switch type {
        case is Int.Type: "a whole number"
        case is Double.Type: "a number"
        case is Bool.Type: "true or false"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "a list"
        default: "a string"
        }
    }
}
