extension Wording {
    /// A clause as a whole sentence: its first letter is a capital, unless it begins with an address or
    /// the name of a file, and it ends with a full stop.
    package static func sentence(_ clause: some CustomStringConvertible) -> String {
        let text = clause.description
        let first = text.prefix { $0 != " " }
        let end = text.hasSuffix(".") ? "" : "."
        let isName = first.utf8.dropLast().contains { "./@_".utf8.contains($0) }
        guard !isName else { return text + end }
        return text.prefix(1).uppercased() + text.dropFirst() + end
    }
}
