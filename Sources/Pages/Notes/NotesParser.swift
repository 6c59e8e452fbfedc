/// Parses release notes into blocks.
///
/// Each line is scanned once per level of quotes and lists, and there are few levels.
struct NotesParser {
    private typealias Line = ArraySlice<Unicode.Scalar>

    /// The deepest nesting of quotes and lists; deeper ones are text.
    private static let deepest = 6
    /// The most lines parsed as Markdown; the rest is text.
    ///
    /// More than anyone reads, and a limit on the HTML that lines of two bytes can become.
    private static let mostLines = 5000
    private static let mostColumns = 12

    static func blocks(of markdown: String) -> [NotesBlock] {
        var lines: [Line] = markdown.unicodeScalars
            .split(omittingEmptySubsequences: false) {
                $0 == "\n" || $0 == "\u{2028}" || $0 == "\u{2029}"
            }
            .map { Array($0.last == "\r" ? $0.dropLast() : $0)[...] }
        let text = lines.dropFirst(mostLines).filter { !$0.isEmpty }.map { Array($0) }
        lines = Array(lines.prefix(mostLines))
        var parser = NotesParser(lines: lines, depth: 0)
        return parser.parse() + (text.isEmpty ? [] : [.code(text)])
    }

    private let lines: [Line]
    private let depth: Int
    private var position = 0
    private var blocks: [NotesBlock] = []
    private var paragraph: [NotesBlock.Line] = []

    private init(lines: [Line], depth: Int) {
        self.lines = lines
        self.depth = depth
    }

    private mutating func parse() -> [NotesBlock] {
        while position < lines.count {
            let text = trimmed(lines[position])
            if text.isEmpty {
                close()
                position += 1
            } else if let fence = NotesFence(text) {
                close()
                code(until: fence)
            } else if !underlines(text), isRule(text) {
                close()
                blocks.append(.rule)
                position += 1
            } else if let heading = heading(text) {
                close()
                blocks.append(.heading(Array(heading)))
                position += 1
            } else if depth < Self.deepest, text.first == ">" {
                close()
                quote()
            } else if depth < Self.deepest, let marker = NotesListMarker(lines[position]) {
                close()
                list(marker)
            } else if table(text) {
                continue
            } else if !underlined(text) {
                paragraph.append(Array(text))
                position += 1
            }
        }
        close()
        return blocks
    }

    private mutating func close() {
        if !paragraph.isEmpty { blocks.append(.paragraph(paragraph)) }
        paragraph = []
    }

    // MARK: Headings and rules

    private func heading(_ text: Line) -> Line? {
        let marks = text.prefix { $0 == "#" }
        let rest = text.dropFirst(marks.count)
        guard (1...6).contains(marks.count), rest.first == " " else { return nil }
        let title = trimmed(rest)
        let end = title.reversed().prefix { $0 == "#" }.count
        let plain = title.dropLast(end)
        return end > 0 && (plain.isEmpty || plain.last == " ") ? trimmed(plain) : title
    }

    /// Returns whether the line turns the one before it into a heading.
    private func underlines(_ text: Line) -> Bool {
        guard paragraph.count == 1, text.count >= 3, let mark = text.first,
            mark == "=" || mark == "-"
        else { return false }
        return text.allSatisfy { $0 == mark }
    }

    private mutating func underlined(_ text: Line) -> Bool {
        guard underlines(text), let title = paragraph.first else { return false }
        paragraph = []
        blocks.append(.heading(title))
        position += 1
        return true
    }

    private func isRule(_ text: Line) -> Bool {
        guard let mark = text.first, "-*_".unicodeScalars.contains(mark) else { return false }
        var count = 0
        for scalar in text where scalar != " " {
            guard scalar == mark else { return false }
            count += 1
        }
        return count >= 3
    }

    // MARK: Code

    /// Parses a code block; without an end, everything that follows is code.
    private mutating func code(until fence: NotesFence) {
        let indent = lines[position].prefix(while: \.properties.isWhitespace).count
        position += 1
        var code: [NotesBlock.Line] = []
        while position < lines.count {
            let line = lines[position]
            position += 1
            if fence.isEnded(by: trimmed(line)) { break }
            let space = line.prefix(indent).prefix(while: \.properties.isWhitespace).count
            code.append(Array(line.dropFirst(space)))
        }
        blocks.append(.code(code))
    }

    // MARK: Quotes

    private mutating func quote() {
        var inner: [Line] = []
        while position < lines.count {
            let text = trimmed(lines[position])
            if text.first == ">" {
                let rest = text.dropFirst()
                inner.append(rest.first == " " ? rest.dropFirst() : rest)
            } else if text.isEmpty || startsBlock(lines[position])
                || trimmed(inner.last ?? []).isEmpty
            {
                break
            } else {
                inner.append(text)
            }
            position += 1
        }
        var parser = Self(lines: inner, depth: depth + 1)
        let quoted = parser.parse()
        if !quoted.isEmpty { blocks.append(.quote(quoted)) }
    }

    // MARK: Lists

    private mutating func list(_ first: NotesListMarker) {
        let outer = lines[position].prefix(while: \.properties.isWhitespace).count
        var items: [[NotesBlock]] = []
        while position < lines.count, let marker = NotesListMarker(lines[position]),
            marker.isAlike(first), !isRule(trimmed(lines[position])),
            lines[position].prefix(while: \.properties.isWhitespace).count <= outer + 1
        {
            position += 1
            var parser = Self(lines: item(marker, below: outer), depth: depth + 1)
            items.append(parser.parse())
        }
        blocks.append(.list(start: first.number, items: items))
    }

    /// Returns the lines of one item, without their indentation.
    private mutating func item(_ marker: NotesListMarker, below outer: Int) -> [Line] {
        var inner = [marker.rest]
        var isBehindBlank = false
        while position < lines.count {
            let line = lines[position]
            let space = line.prefix(while: \.properties.isWhitespace).count
            if space == line.count {
                isBehindBlank = true
                inner.append([])
            } else if space > outer + 1 || space >= marker.indent {
                // People indent by two, by four, or as far as the text above.
                inner.append(line.dropFirst(min(space, marker.indent)))
                isBehindBlank = false
            } else if isBehindBlank || startsBlock(line) {
                break
            } else {
                inner.append(line.dropFirst(space))
            }
            position += 1
        }
        // Trailing blank lines are between this item and the next block.
        while inner.count > 1, inner.last?.isEmpty == true { inner.removeLast() }
        return inner
    }

    /// Returns whether a line ends the paragraph before it.
    private func startsBlock(_ line: Line) -> Bool {
        let text = trimmed(line)
        return text.first == ">" || NotesListMarker(line) != nil || NotesFence(text) != nil
            || isRule(text)
            || heading(text) != nil
    }

    // MARK: Tables

    private mutating func table(_ text: Line) -> Bool {
        guard position + 1 < lines.count, text.contains("|") else { return false }
        let under = trimmed(lines[position + 1])
        guard under.contains("-"),
            under.allSatisfy({ "|-: ".unicodeScalars.contains($0) })
        else { return false }
        let head = cells(of: text)
        let alignments = cells(of: under).compactMap(alignment)
        guard head.count == alignments.count, head.count <= Self.mostColumns,
            under.contains("|") || head.count == 1
        else { return false }
        close()
        position += 2
        var rows: [[NotesBlock.Line]] = []
        while position < lines.count {
            let text = trimmed(lines[position])
            guard text.contains("|"), !startsBlock(lines[position]) else { break }
            rows.append(Array(cells(of: text).prefix(head.count)))
            position += 1
        }
        blocks.append(.table(head: head, alignments: alignments, rows: rows))
        return true
    }

    private func alignment(_ cell: NotesBlock.Line) -> NotesBlock.Alignment? {
        let marks = cell.drop { $0 == ":" }
        let dashes = marks.prefix { $0 == "-" }
        let end = marks.dropFirst(dashes.count)
        guard !dashes.isEmpty, cell.count - marks.count <= 1, end.count <= 1,
            end.allSatisfy({ $0 == ":" })
        else { return nil }
        if end.isEmpty { return NotesBlock.Alignment.start }
        return cell.first == ":" ? .center : .end
    }

    /// Splits a row at its bars; a bar after a backslash is text.
    private func cells(of text: Line) -> [NotesBlock.Line] {
        var cells: [NotesBlock.Line] = [[]]
        var isEscaped = false
        var inner = text
        if inner.first == "|" { inner = inner.dropFirst() }
        if inner.last == "|", inner.dropLast().last != "\\" { inner = inner.dropLast() }
        for scalar in inner {
            if scalar == "|", !isEscaped {
                cells.append([])
            } else if scalar == "|" {
                cells[cells.count - 1][cells[cells.count - 1].count - 1] = "|"
            } else {
                cells[cells.count - 1].append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return cells.map { Array(trimmed($0[...])) }
    }

    private func trimmed(_ line: Line) -> Line {
        let text = line.drop(while: \.properties.isWhitespace)
        var end = text.endIndex
        while end > text.startIndex, text[end - 1].properties.isWhitespace { end -= 1 }
        return text[text.startIndex..<end]
    }
}
