import Bytes

/// Validates JSON against the parts of OpenAPI 3.0 schemas that the contract uses.
struct SchemaCheck {
    /// The schemas in `components.schemas`.
    let schemas: [String: JSONValue]
    /// Whether a value that is missing in an `enum` is a violation; Apple's responses have such values.
    let isClosed: Bool

    /// Returns the violations in `value`, each with its location.
    func violations(
        of value: JSONValue,
        against schema: JSONValue,
        at place: String = "",
    ) -> [String] {
        if let name = schema["$ref"]?.string?.split(separator: "/").last {
            guard let target = schemas[String(name)] else { return ["\(place): no schema \(name)"] }
            if value == .null, schema["nullable"]?.flag == true { return [] }
            return violations(of: value, against: target, at: place)
        }
        if value == .null, schema["nullable"]?.flag == true { return [] }
        if case .list(let choices)? = schema["oneOf"] {
            let fits = choices.contains { violations(of: value, against: $0, at: place).isEmpty }
            return fits ? [] : ["\(place): fits none of the schemas"]
        }
        switch schema["type"]?.string {
        case "object": return violations(ofObject: value, against: schema, at: place)
        case "array":
            guard case .list(let elements) = value else { return ["\(place): not a list"] }
            guard let items = schema["items"] else { return [] }
            return elements.enumerated().flatMap {
                violations(of: $1, against: items, at: "\(place)/\($0)")
            }
        case "string":
            guard let text = value.string else { return ["\(place): not a text"] }
            guard isClosed, case .list(let words)? = schema["enum"], !words.contains(.text(text))
            else { return [] }
            return ["\(place): \(text) is no word of the contract"]
        case "integer": return value.whole == nil ? ["\(place): not a whole number"] : []
        case "boolean": return value.flag == nil ? ["\(place): not true or false"] : []
        default: return []
        }
    }

    private func violations(
        ofObject value: JSONValue,
        against schema: JSONValue,
        at place: String,
    ) -> [String] {
        guard case .object(let fields) = value else { return ["\(place): not an object"] }
        let known = schema["properties"]?.fields ?? [:]
        var found = (schema["required"]?.elements ?? []).compactMap(\.string)
            .filter { fields[$0] == nil }.map { "\(place)/\($0): missing" }
        for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
            if let inner = known[name] {
                found += violations(of: field, against: inner, at: "\(place)/\(name)")
            } else if !known.isEmpty, schema["additionalProperties"] == nil {
                found.append("\(place)/\(name): not in the contract")
            }
        }
        return found
    }
}
