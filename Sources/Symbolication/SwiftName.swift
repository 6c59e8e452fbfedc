/// Mangled Swift names (docs/ABI/Mangling.rst), of which only the enclosing types of a function are
/// parsed.
enum SwiftName {
    private static let prefixes = ["$s", "$S", "_$s", "_$S", "_T0"]

    static func isMangled(_ name: String) -> Bool {
        prefixes.contains { name.utf8.starts(with: $0.utf8) }
    }

    /// A function in readable form, `Basket.total`.
    ///
    /// - Parameters:
    ///   - name: the linker name.
    ///   - short: the name inside its type, from the symbols.
    /// - Returns: `short` after the types in the mangled name; `name` if it is not Swift's.
    static func readable(_ name: String, short: String) -> String {
        guard isMangled(name), !short.isEmpty, !isMangled(short) else { return name }
        // `closure #1 in total` already contains its context.
        guard !short.contains(" in ") else { return short }
        return (types(around: name) + [short]).joined(separator: ".")
    }

    private static func types(around name: String) -> [String] {
        guard let prefix = prefixes.first(where: { name.utf8.starts(with: $0.utf8) }) else {
            return []
        }
        var rest = name.utf8.dropFirst(prefix.utf8.count)
        // The module comes first.
        guard identifier(&rest) != nil else { return [] }
        var types: [String] = []
        while let type = identifier(&rest), let kind = rest.first,
            "VCOP".utf8.contains(kind), types.count < 20
        {
            rest = rest.dropFirst()
            types.append(type)
        }
        return types
    }

    /// Parses a length and as many bytes; nil for anything else, such as a name with word substitutions.
    private static func identifier(_ rest: inout Substring.UTF8View.SubSequence) -> String? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.first != UInt8(ascii: "0"), digits.count <= 4,
            let count = Int(String(Substring(digits))), count > 0
        else { return nil }
        let text = rest.dropFirst(digits.count).prefix(count)
        guard text.count == count else { return nil }
        rest = rest.dropFirst(digits.count + count)
        return String(Substring(text))
    }
}
