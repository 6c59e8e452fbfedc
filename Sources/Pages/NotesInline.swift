/// One line of release notes: emphasis, code and links, everything else escaped.
enum NotesInline {
    static func html(_ text: Substring.UnicodeScalarView) -> String {
        var reader = Reader(Array(text))
        return reader.read()
    }

    private struct Reader {
        private let text: [Unicode.Scalar]
        private var position = 0
        private var html = ""
        private var openMarks: [(mark: String, tag: String)] = []
        /// Where the last occurrence of a closing mark stands, so that an opening mark without a
        /// partner is found out without looking ahead again and again.
        private let lastPosition: [Unicode.Scalar: Int]

        init(_ text: [Unicode.Scalar]) {
            self.text = text
            lastPosition = text.enumerated().reduce(into: [:]) { last, item in
                if "`*_])".unicodeScalars.contains(item.element) {
                    last[item.element] = item.offset
                }
            }
        }

        mutating func read() -> String {
            while position < text.count {
                switch text[position] {
                case "`": code()
                case "*", "_": emphasis(text[position])
                case "[": link()
                default: plain(text[position])
                }
            }
            for open in openMarks.reversed() { html += "</\(open.tag)>" }
            return html
        }

        private mutating func plain(_ scalar: Unicode.Scalar) {
            html += HTMLText.escaped(String(scalar))
            position += 1
        }

        private mutating func code() {
            guard (lastPosition["`"] ?? 0) > position,
                let end = text[(position + 1)...].firstIndex(of: "`")
            else { return plain("`") }
            html += "<code>\(HTMLText.escaped(string(position + 1, end)))</code>"
            position = end + 1
        }

        private mutating func emphasis(_ character: Unicode.Scalar) {
            let run = text[position...].prefix(3).prefix { $0 == character }.count
            let single = String(character)
            // Of three in a row, the first closes what a single one opened last.
            let isDouble = run == 2 || run == 3 && openMarks.last?.mark != single
            let mark = isDouble ? single + single : single
            let tag = isDouble ? "strong" : "em"
            let before: Unicode.Scalar = position > 0 ? text[position - 1] : " "
            let behind = position + mark.count
            let after: Unicode.Scalar = behind < text.count ? text[behind] : " "
            if let last = openMarks.last, last.mark == mark, !before.properties.isWhitespace {
                openMarks.removeLast()
                html += "</\(tag)>"
                position = behind
            } else if openMarks.count < 4, !after.properties.isWhitespace,
                before.properties.isWhitespace || Character(before).isPunctuation,
                (lastPosition[character] ?? 0) >= behind,
                !openMarks.contains(where: { $0.mark == mark })
            {
                openMarks.append((mark, tag))
                html += "<\(tag)>"
                position = behind
            } else {
                html += HTMLText.escaped(mark)
                position = behind
            }
        }

        /// `[label](https://…)`; any other scheme stays text.
        private mutating func link() {
            guard (lastPosition["]"] ?? 0) > position, (lastPosition[")"] ?? 0) > position,
                let labelEnd = find("]", from: position + 1), labelEnd + 1 < text.count,
                text[labelEnd + 1] == "(",
                let end = find(")", from: labelEnd + 2)
            else { return plain("[") }
            let label = string(position + 1, labelEnd)
            let target = string(labelEnd + 2, end)
            let isSafe = target.hasPrefix("https://") || target.hasPrefix("mailto:")
            guard isSafe, !target.contains(where: \.isWhitespace) else { return plain("[") }
            html +=
                "<a href=\"\(HTMLText.escaped(target))\" rel=\"noopener noreferrer nofollow\">"
                + "\(HTMLText.escaped(label))</a>"
            position = end + 1
        }

        /// Stops where another link may begin: each stretch of text is looked through once.
        private func find(_ wanted: Unicode.Scalar, from start: Int) -> Int? {
            let end = text[start...].firstIndex { $0 == wanted || $0 == "[" }
            return end.flatMap { text[$0] == wanted ? $0 : nil }
        }

        private func string(_ start: Int, _ end: Int) -> String {
            var string = String.UnicodeScalarView()
            string.append(contentsOf: text[start..<end])
            return String(string)
        }
    }
}
