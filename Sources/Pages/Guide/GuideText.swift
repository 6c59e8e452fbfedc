/// Our guide as HTML, from the subset of Markdown that `docs/testers.md` uses.
///
/// Supports one title, sections, wrapped paragraphs and lists, and tables. Inline markup is that of
/// ``ReleaseNotes``; as there, raw HTML is text.
struct GuideText {
    struct Section {
        /// The fragment of the section in URLs.
        fileprivate(set) var anchor: String
        let title: String
        fileprivate(set) var html = ""
    }

    private(set) var title = ""
    private(set) var introduction = ""
    private(set) var sections: [Section] = []
    private var block = Block.none

    private enum Block {
        case none
        case paragraph(String)
        case list(tag: String, items: [String])
        case table(rows: [[String]])
    }

    init(_ markdown: String) {
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            add(String(line))
        }
        close()
    }

    /// Returns the guide with the section anchors of another guide, whose sections have the same order.
    func anchored(as other: GuideText) -> GuideText {
        var text = self
        for index in sections.indices where index < other.sections.count {
            text.sections[index].anchor = other.sections[index].anchor
        }
        return text
    }

    private mutating func add(_ line: String) {
        let text = line.drop { $0 == " " }
        if text.isEmpty {
            close()
        } else if line.hasPrefix("# ") {
            close()
            title = String(line.dropFirst(2))
        } else if line.hasPrefix("## ") {
            close()
            let title = String(line.dropFirst(3))
            sections.append(Section(anchor: Self.anchor(title), title: title))
        } else if line.hasPrefix("|") {
            row(line)
        } else if let item = Self.item(line) {
            list(item)
        } else {
            goOn(String(text))
        }
    }

    /// Adds a continuation line to the current block, or starts a paragraph.
    private mutating func goOn(_ text: String) {
        switch block {
        case .paragraph(let before): block = .paragraph(before + " " + text)
        case .list(let tag, var items):
            let last = items.removeLast()
            block = .list(tag: tag, items: items + [last + " " + text])
        case .none, .table:
            close()
            block = .paragraph(text)
        }
    }

    private mutating func list(_ item: (tag: String, text: String)) {
        if case .list(item.tag, let items) = block {
            block = .list(tag: item.tag, items: items + [item.text])
        } else {
            close()
            block = .list(tag: item.tag, items: [item.text])
        }
    }

    private mutating func row(_ line: String) {
        let cells = line.split(separator: "|").map {
            $0.trimmingPrefix { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        }.map { String($0) }
        // The separator line between the head and the body.
        if cells.allSatisfy({ $0.allSatisfy { "-:".contains($0) } }) { return }
        if case .table(let rows) = block {
            block = .table(rows: rows + [cells])
        } else {
            close()
            block = .table(rows: [cells])
        }
    }

    private mutating func close() {
        switch block {
        case .none: return
        case .paragraph(let text): put("<p>\(Self.inline(text))</p>\n")
        case .list(let tag, let items):
            let items = items.map { "<li>\(Self.inline($0))</li>\n" }.joined()
            put("<\(tag)>\n\(items)</\(tag)>\n")
        case .table(let rows): put(Self.table(rows))
        }
        block = .none
    }

    private mutating func put(_ html: String) {
        if sections.isEmpty {
            introduction += html
        } else {
            sections[sections.count - 1].html += html
        }
    }

    /// Renders each row as a term and its description, which fits a phone better than a table.
    private static func table(_ rows: [[String]]) -> String {
        let entries = rows.dropFirst().map { cells in
            "<dt>\(inline(cells.first ?? ""))</dt>"
                + cells.dropFirst().map { "<dd>\(inline($0))</dd>" }.joined() + "\n"
        }
        return "<dl class=\"pairs\">\n\(entries.joined())</dl>\n"
    }

    private static func item(_ line: String) -> (tag: String, text: String)? {
        if line.hasPrefix("- ") { return ("ul", String(line.dropFirst(2))) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, line.dropFirst(digits.count).hasPrefix(". ") else { return nil }
        return ("ol", String(line.dropFirst(digits.count + 2)))
    }

    private static func inline(_ text: String) -> String {
        NotesInline.html(Substring(text).unicodeScalars)
    }

    /// `When it does not install` becomes `when-it-does-not-install`, as on code hosting sites.
    private static func anchor(_ title: String) -> String {
        String(
            title.lowercased().compactMap { character in
                character == " "
                    ? "-"
                    : character.isLetter || character.isNumber || character == "-"
                        ? character : nil
            }
        )
    }
}
