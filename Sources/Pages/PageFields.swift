import Mustache

/// The fields of a page, for templates that look them up by name.
///
/// By itself the template engine would reflect a struct again for every tag; here each is reflected once.
/// Fields without a value are marked as such, so that a template that looks one up in a row does not get
/// the page's field of the same name.
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

    /// Returns texts and flags unchanged, and structs by their fields; nil for an optional without a
    /// value.
    private static func value(of field: Any) -> Any? {
        // Most fields are texts and flags, and comparing types is cheaper than casting.
        let type = type(of: field)
        if type == Bool.self { return field }
        // A cast unwraps an optional, so the result is not an optional.
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

    /// A text, as a type that the engine recognises before any other.
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
