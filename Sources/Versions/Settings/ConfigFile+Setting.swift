extension ConfigFile {
    /// Returns a settings file with new values for some settings, and everything else unchanged.
    ///
    /// Unconditional assignments are replaced in place; others are appended. An empty text is a new file.
    ///
    /// - Parameters:
    ///   - values: names and values, without line breaks, comments and backslashes.
    ///   - text: the present contents of the file.
    /// - Returns: the new contents of the file.
    package static func setting(
        _ values: [(name: String, value: String)],
        in text: String,
    ) -> String {
        var statements = WrittenStatement.all(in: text)
        let end = statements.last { !$0.end.isEmpty }?.end ?? "\n"
        for (name, value) in values {
            let places = statements.indices.filter { statements[$0].name == name }
            for place in places { statements[place].setValue(value) }
            guard places.isEmpty else { continue }
            if let last = statements.indices.last {
                if statements[last].end.isEmpty { statements[last].end = end }
                // A last line with a continuation mark would absorb the next one.
                if statements[last].goesOn { statements.append(WrittenStatement("", end: end)) }
            }
            statements.append(WrittenStatement("\(name) = \(value)", end: end))
        }
        return statements.map { $0.text + $0.end }.joined()
    }
}

/// A statement as written in the file; it may span several lines.
private struct WrittenStatement {
    private(set) var text: String
    /// The line break after its last line; empty at the end of a file without one.
    var end: String
    /// The name of the assigned setting; nil for other statements and conditional assignments.
    let name: String?
    /// Whether it ends with a continuation mark.
    private(set) var goesOn: Bool

    init(_ text: String, end: String) {
        self.text = text
        self.end = end
        let statement = text[..<text[...].commentStart].drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let name = statement.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let rest = statement.dropFirst(name.count).trimmingSpace
        let isAssignment = name.first?.isNumber == false
        self.name = isAssignment && rest.first == "=" ? String(name) : nil
        goesOn = isAssignment && ConfigFile.value(rest).hasSuffix("\\")
    }

    static func all(in text: String) -> [Self] {
        var statements: [Self] = []
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest.prefix { !$0.isNewline }
            rest = rest[line.endIndex...]
            let end = rest.popFirst().map(String.init) ?? ""
            if statements.last?.goesOn == true {
                statements[statements.count - 1].continue(line, end: end)
            } else {
                statements.append(Self(String(line), end: end))
            }
        }
        return statements
    }

    private mutating func `continue`(_ line: Substring, end: String) {
        text += self.end + line
        self.end = end
        goesOn = ConfigFile.value(line[..<line.commentStart]).hasSuffix("\\")
    }

    /// Keeps the text before the name, and the comment after a statement of one line.
    mutating func setValue(_ value: String) {
        guard let name, let start = text.firstRange(of: name) else { return }
        let line = text.prefix { !$0.isNewline }
        let comment = line.count == text.count ? text[line.commentStart...] : ""
        text = "\(text[..<start.lowerBound])\(name) = \(value)"
        if !comment.isEmpty { text += " \(comment)" }
        goesOn = false
    }
}
