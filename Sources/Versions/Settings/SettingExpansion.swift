/// Expands references to settings, within limits.
struct SettingExpansion {
    private static let depthLimit = 32
    private static let lengthLimit = 16 << 10

    let assignments: [SettingAssignment]
    let places: [String: [Int]]
    let context: SettingContext
    /// The requested setting.
    let name: String
    private(set) var undefined: Set<String> = []
    private(set) var work: SettingWork

    init(
        assignments: [SettingAssignment],
        places: [String: [Int]],
        context: SettingContext,
        name: String,
        work: SettingWork,
    ) {
        self.assignments = assignments
        self.places = places
        self.context = context
        self.name = name
        self.work = work
    }

    /// The value of the last assignment before `place`; empty if there is none.
    mutating func value(
        of setting: String,
        below place: Int,
        depth: Int,
    ) throws(SettingsFlaw) -> String {
        guard depth < Self.depthLimit else { throw .circular(setting) }
        guard let index = places[setting]?.last(where: { $0 < place }) else {
            if setting == "CONFIGURATION" { return context.configuration }
            // `$(inherited)` without an earlier assignment is empty, not undefined.
            if place == assignments.count { undefined.insert(setting) }
            return ""
        }
        let written = assignments[index].value
        try work.spend(10 + written.utf8.count, at: assignments[index].origin)
        guard written.utf8.count <= Self.lengthLimit else { throw .tooLong(setting) }
        var text = Array(written)[...]
        return try expand(&text, of: setting, at: index, depth: depth, until: nil)
    }

    /// Reads text up to a closing delimiter and expands its references.
    private mutating func expand(
        _ text: inout ArraySlice<Character>,
        of setting: String,
        at index: Int,
        depth: Int,
        until end: Character?,
    ) throws(SettingsFlaw) -> String {
        var result = ""
        while let character = text.popFirst() {
            if character == end { return result }
            guard character == "$", let open = text.first, let close = Self.closing[open] else {
                result.append(character)
                continue
            }
            guard depth < Self.depthLimit else { throw .circular(setting) }
            text.removeFirst()
            let inner = try expand(&text, of: setting, at: index, depth: depth + 1, until: close)
            let value = try reference(inner, of: setting, at: index, depth: depth + 1)
            try work.spend(value.utf8.count, at: assignments[index].origin)
            result += value
            guard result.utf8.count <= Self.lengthLimit else { throw .tooLong(name) }
        }
        return result
    }

    private static let closing: [Character: Character] = ["(": ")", "{": "}"]

    /// Expands `$()`, `$(NAME)`, `$(inherited)` and `$(NAME:operator)`.
    private mutating func reference(
        _ text: String,
        of setting: String,
        at index: Int,
        depth: Int,
    ) throws(SettingsFlaw) -> String {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let referred = parts.first, !referred.isEmpty else { return "" }
        let isInherited = referred == "inherited" || referred == setting
        var value = try value(
            of: isInherited ? setting : referred,
            below: isInherited ? index : assignments.count,
            depth: depth,
        )
        for part in parts.dropFirst() {
            try work.spend(value.utf8.count, at: assignments[index].origin)
            value = try apply(part, to: value, of: referred)
        }
        return value
    }

    private mutating func apply(
        _ operation: String,
        to value: String,
        of setting: String,
    ) throws(SettingsFlaw) -> String {
        switch operation {
        case "lower": return value.lowercased()
        case "upper": return value.uppercased()
        case "rfc1034identifier": return Self.identifier(value, allowing: "-.", filler: "-")
        case "c99extidentifier", "identifier":
            return Self.identifier(value, allowing: "_", filler: "_")
        default:
            guard operation.hasPrefix("default=") else {
                throw .unknownOperator(operation, setting: name)
            }
            guard value.isEmpty else { return value }
            undefined.remove(setting)
            return String(operation.dropFirst("default=".count))
        }
    }

    private static func identifier(
        _ text: String,
        allowing others: String,
        filler: Character,
    ) -> String {
        String(
            text.map { character in
                let isPlain = character.isASCII && (character.isLetter || character.isNumber)
                return isPlain || others.contains(character) ? character : filler
            }
        )
    }
}
