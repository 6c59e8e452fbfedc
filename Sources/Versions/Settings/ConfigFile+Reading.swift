import Bytes

extension ConfigFile {
    /// Parses a file as Xcode does: `//` begins a comment anywhere, which is why a URL is written
    /// `https:/$()/example.com`.
    package init(_ text: String, path: String) throws(SettingsFlaw) {
        var statements: [Statement] = []
        var lines = ConfigLines(text, path: path)
        while let line = lines.next() {
            if line.text.first == "#" {
                statements.append(try Self.include(line))
            } else if !line.text.isEmpty {
                statements.append(.assignment(try Self.assignment(line, continuedBy: &lines)))
            }
        }
        self.statements = statements
    }

    private static func include(_ line: ConfigLines.Line) throws(SettingsFlaw) -> Statement {
        let directive = line.text.dropFirst().drop { $0.isWhitespace }
        let word = directive.prefix { $0.isLetter || $0 == "?" }
        let rest = directive.dropFirst(word.count).trimmingSpace
        guard word == "include" || word == "include?" else {
            throw line.flaw("\(quoted: "#" + word) is not a directive; only #include is")
        }
        guard rest.count > 2, rest.first == "\"", rest.last == "\"",
            !rest.dropFirst().dropLast().contains("\"")
        else { throw line.flaw("#include needs the name of a file in quotation marks") }
        return .include(
            path: String(rest.dropFirst().dropLast()),
            isOptional: word.hasSuffix("?"),
            line: line.number,
        )
    }

    private static func assignment(
        _ line: ConfigLines.Line,
        continuedBy lines: inout ConfigLines,
    ) throws(SettingsFlaw) -> SettingAssignment {
        let name = line.text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard let first = name.first, !first.isNumber else {
            throw line.flaw("a setting begins with a letter or underscore")
        }
        var rest = line.text.dropFirst(name.count).trimmingSpace
        var conditions: [SettingAssignment.Condition] = []
        while rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else {
                throw line.flaw("the condition of \(name) does not end")
            }
            let parts = rest[rest.index(after: rest.startIndex)..<end].split(separator: ",")
            guard !parts.isEmpty else { throw line.flaw("the condition of \(name) is empty") }
            for part in parts {
                let sides = part.split(separator: "=", maxSplits: 1)
                guard sides.count == 2 else {
                    throw line.flaw("the condition \(quoted: part) has no equals sign")
                }
                conditions.append(
                    .init(
                        parameter: String(sides[0].trimmingSpace),
                        pattern: String(sides[1].trimmingSpace),
                    )
                )
            }
            rest = rest[rest.index(after: end)...].trimmingSpace
        }
        guard rest.first == "=" else { throw line.flaw("\(name) has no equals sign") }
        var parts = [value(rest.dropFirst())]
        while let last = parts.last, last.hasSuffix("\\") {
            parts[parts.count - 1] = last.dropLast().trimmingSpace
            parts.append(lines.next().map { value($0.text) } ?? "")
        }
        return SettingAssignment(
            name: String(name),
            conditions: conditions,
            value: parts.filter { !$0.isEmpty }.joined(separator: " "),
            origin: "\(line.path):\(line.number)",
        )
    }

    /// The text without the surrounding white space and a semicolon at its end.
    static func value(_ text: Substring) -> Substring {
        let text = text.trimmingSpace
        return text.last == ";" ? text.dropLast().trimmingSpace : text
    }
}

/// The lines of a file without their comments.
struct ConfigLines {
    struct Line {
        let path: String
        let number: Int
        let text: Substring

        func flaw(_ reason: String) -> SettingsFlaw {
            .syntax(path, line: number, reason: reason)
        }
    }

    private let path: String
    private var lines: ArraySlice<Substring>
    private var number = 0

    init(_ text: String, path: String) {
        self.path = path
        let text = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    }

    mutating func next() -> Line? {
        guard let line = lines.popFirst() else { return nil }
        number += 1
        return Line(path: path, number: number, text: line[..<line.commentStart].trimmingSpace)
    }
}

extension Substring {
    /// The start of a comment; the end of the text if there is none.
    ///
    /// Compares Unicode scalars, because Swift combines a slash and a combining mark after it into one
    /// character.
    var commentStart: Index {
        var last: Unicode.Scalar?
        for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
            if scalar == "/", last == "/" { return unicodeScalars.index(before: index) }
            last = scalar
        }
        return endIndex
    }

    var trimmingSpace: Substring {
        let text = drop { $0.isWhitespace }
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return text[...last]
    }
}
