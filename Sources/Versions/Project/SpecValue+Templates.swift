extension SpecValue {
    /// The number of values: this one and all nested ones.
    var size: Int {
        switch self {
        case .map(let entries): entries.values.reduce(1) { $0 + $1.size }
        case .list(let items): items.reduce(1) { $0 + $1.size }
        case .text, .nothing: 1
        }
    }

    /// Replaces references such as `${target_name}` in keys and values, as templates do; the inserted
    /// text is not expanded again.
    ///
    /// - Parameters:
    ///   - replacements: the values by name.
    ///   - room: the remaining number of bytes of text, from which the result is deducted.
    /// - Returns: nil when the result exceeds `room`.
    func replacing(_ replacements: [String: String], within room: inout Int) -> SpecValue? {
        switch self {
        case .map(let entries):
            var replaced: [String: SpecValue] = [:]
            // Sorted, so that of two keys that become equal always the same one is kept.
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                guard let key = Self.replaced(key, replacements, within: &room),
                    let value = value.replacing(replacements, within: &room)
                else { return nil }
                replaced[key] = value
            }
            return .map(replaced)
        case .list(let items):
            var replaced: [SpecValue] = []
            for item in items {
                guard let item = item.replacing(replacements, within: &room) else { return nil }
                replaced.append(item)
            }
            return .list(replaced)
        case .text(let text):
            return Self.replaced(text, replacements, within: &room).map(SpecValue.text)
        case .nothing: return self
        }
    }

    /// Maximum length of a replaceable name in characters.
    private static let longestName = 200

    private static func replaced(
        _ text: String,
        _ replacements: [String: String],
        within room: inout Int,
    ) -> String? {
        room -= text.utf8.count
        guard text.contains("${") else { return room >= 0 ? text : nil }
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "${") {
            result += rest[..<open.lowerBound]
            let name = rest[open.upperBound...].prefix(Self.longestName).prefix { $0 != "}" }
            if name.endIndex < rest.endIndex, let value = replacements[String(name)] {
                room -= value.utf8.count
                guard room >= 0 else { return nil }
                result += value
                rest = rest[rest.index(after: name.endIndex)...]
            } else {
                room -= name.utf8.count
                guard room >= 0 else { return nil }
                result += rest[open]
                rest = rest[open.upperBound...]
            }
        }
        return room >= 0 ? result + rest : nil
    }
}
