import Mustache

/// The fields of a page, as a template asks for them by name.
///
/// Left to itself the template engine reflects a struct again for every tag; here each is reflected
/// once. What has no value is known to have none: a template that asks for it in a row does not get
/// what the whole page has under the same name.
struct PageFields: MustacheParent {
    private let fields: [String: Any]

    init(of page: Any) {
        self.init(Mirror(reflecting: page))
    }

    private init(_ mirror: Mirror) {
        var fields: [String: Any] = [:]
        for child in mirror.children {
            guard let name = child.label else { continue }
            fields[name] = Self.value(of: child.value) ?? Absent()
        }
        self.fields = fields
    }

    func child(named name: String) -> Any? { fields[name] }

    /// Texts and flags as they are, structs by their fields; nil for an optional without a value.
    private static func value(of field: Any) -> Any? {
        // Most fields are texts and flags, and to ask for a type costs less than to try a cast.
        let type = type(of: field)
        if type == Bool.self { return field }
        // A cast sees through an optional, so what comes out is none.
        if type == String.self || type == String?.self { return (field as? String).map(Text.init) }
        if type == Bool?.self { return field as? Bool }
        let mirror = Mirror(reflecting: field)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.flatMap { value(of: $0.value) }
        case .collection: mirror.children.compactMap { value(of: $0.value) }
        case .struct: PageFields(mirror)
        default: field
        }
    }

    /// A text, in the form that the engine recognizes before any other.
    private struct Text: MustacheCustomRenderable {
        let renderText: String
        var isNull: Bool { false }
    }

    /// An optional without a value.
    private struct Absent: MustacheCustomRenderable {
        var renderText: String { "" }
        var isNull: Bool { true }
    }
}
