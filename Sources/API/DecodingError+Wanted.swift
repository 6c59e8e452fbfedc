import Bytes

extension DecodingError {
    /// What the value should have been, as its type says; nil where the type does not say.
    var wanted: String? {
        switch self {
        case .typeMismatch(let type, _), .valueNotFound(let type, _): Self.kind(of: type)
        case .dataCorrupted(let context): (context.underlyingError as? WrongText)?.wanted
        default: nil
        }
    }

    /// Where it stands, as in `events.0`; empty for the whole.
    ///
    /// Keys of strangers may stand in it.
    static func place(of path: [any CodingKey]) -> String {
        path.map { key in
            key.intValue.map(String.init)
                ?? PrintableText(escaping: key.stringValue, limit: 60).text
        }
        .joined(separator: ".")
    }

    /// What JSON calls a type.
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
