extension Wording {
    /// Turns a clause into a sentence: capitalises its first letter, unless it starts with a URL or a file
    /// name, and adds a period.
    package static func sentence(_ clause: some CustomStringConvertible) -> String {
        let text = clause.description
        let first = text.prefix { $0 != " " }
        let end = text.hasSuffix(".") ? "" : "."
        let isName = first.utf8.dropLast().contains { "./@_".utf8.contains($0) }
        guard !isName else { return text + end }
        return text.prefix(1).uppercased() + text.dropFirst() + end
    }
}
