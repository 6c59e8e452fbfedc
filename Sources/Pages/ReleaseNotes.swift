/// Release notes as safe HTML: the small part of Markdown that notes are written in.
///
/// Headings, lists, paragraphs, emphasis, code and links to `https` and `mailto`. Everything else
/// is text; raw HTML is shown, never interpreted. One pass over each line, scalar by scalar, so that
/// no input takes more than linear time; characters of many marks are slow to compare.
package enum ReleaseNotes {
    package static func html(_ markdown: String) -> String {
        var blocks = Blocks()
        let lines = markdown.unicodeScalars.split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\u{2028}" || $0 == "\u{2029}"
        }
        for line in lines { blocks.add(line.last == "\r" ? line.dropLast() : line) }
        return blocks.finish()
    }

    private enum Block {
        case none, paragraph, bullets, numbers

        var end: String {
            switch self {
            case .none: ""
            case .paragraph: "</p>\n"
            case .bullets: "</ul>\n"
            case .numbers: "</ol>\n"
            }
        }
    }

    fileprivate typealias Line = Substring.UnicodeScalarView

    private struct Blocks {
        private var html = ""
        private var open = Block.none

        mutating func add(_ line: Line) {
            let text = line.drop(while: \.properties.isWhitespace)
            if text.isEmpty {
                close()
            } else if let heading = heading(text) {
                close()
                html += "<h3>\(NotesInline.html(heading))</h3>\n"
            } else if let item = bullet(text) {
                enter(.bullets, "<ul>\n")
                html += "<li>\(NotesInline.html(item))</li>\n"
            } else if let item = number(text) {
                enter(.numbers, "<ol>\n")
                html += "<li>\(NotesInline.html(item))</li>\n"
            } else if open == .paragraph {
                html += "<br>\n" + NotesInline.html(text)
            } else {
                enter(.paragraph, "<p>")
                html += NotesInline.html(text)
            }
        }

        mutating func finish() -> String {
            close()
            return html
        }

        private mutating func enter(_ block: Block, _ start: String) {
            guard open != block else { return }
            close()
            open = block
            html += start
        }

        private mutating func close() {
            html += open.end
            open = .none
        }

        private func heading(_ text: Line) -> Line? {
            let marks = text.prefix { $0 == "#" }
            let rest = text.dropFirst(marks.count)
            guard (1...6).contains(marks.count), rest.first == " " else { return nil }
            return rest.drop(while: \.properties.isWhitespace)
        }

        private func bullet(_ text: Line) -> Line? {
            guard let mark = text.first, "-*+•".unicodeScalars.contains(mark),
                text.dropFirst().first == " "
            else {
                return nil
            }
            return text.dropFirst(2)
        }

        private func number(_ text: Line) -> Line? {
            let digits = text.prefix { ("0"..."9").contains($0) }
            let rest = text.dropFirst(digits.count)
            guard (1...4).contains(digits.count), let mark = rest.first,
                ".)".unicodeScalars.contains(mark),
                rest.dropFirst().first == " "
            else { return nil }
            return rest.dropFirst(2)
        }
    }
}
