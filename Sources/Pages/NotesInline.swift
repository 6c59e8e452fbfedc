/// One line of release notes: emphasis, code and links, everything else escaped.
enum NotesInline {
    static func html(_ text: Substring) -> String {
        var reader = Reader(Array(text))
        return reader.read()
    }

    private struct Reader {
        private let text: [Character]
        private var position = 0
        private var html = ""
        private var openMarks: [(mark: String, tag: String)] = []
        /// Where the last occurrence of a closing mark stands, so that an opening mark without a
        /// partner is found out without looking ahead again and again.
        private let lastPosition: [Character: Int]

        init(_ text: [Character]) {
            self.text = text
            lastPosition = text.enumerated().reduce(into: [:]) { $0[$1.element] = $1.offset }
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

        private mutating func plain(_ character: Character) {
            html += NotesInline.escape(String(character))
            position += 1
        }

        private mutating func code() {
            guard (lastPosition["`"] ?? 0) > position,
                let end = text[(position + 1)...].firstIndex(of: "`")
            else { return plain("`") }
            html += "<code>\(NotesInline.escape(String(text[(position + 1)..<end])))</code>"
            position = end + 1
        }

        private mutating func emphasis(_ character: Character) {
            let isDouble = position + 1 < text.count && text[position + 1] == character
            let mark = String(repeating: character, count: isDouble ? 2 : 1)
            let tag = isDouble ? "strong" : "em"
            let before = position > 0 ? text[position - 1] : " "
            let behind = position + mark.count
            let after = behind < text.count ? text[behind] : " "
            if let last = openMarks.last, last.mark == mark, !before.isWhitespace {
                openMarks.removeLast()
                html += "</\(tag)>"
                position = behind
            } else if openMarks.count < 4, !after.isWhitespace,
                before.isWhitespace || before.isPunctuation,
                (lastPosition[character] ?? 0) >= behind,
                !openMarks.contains(where: { $0.mark == mark })
            {
                openMarks.append((mark, tag))
                html += "<\(tag)>"
                position = behind
            } else {
                html += NotesInline.escape(mark)
                position = behind
            }
        }

        /// `[label](https://…)`; any other scheme stays text.
        private mutating func link() {
            guard (lastPosition["]"] ?? 0) > position, (lastPosition[")"] ?? 0) > position,
                let labelEnd = find("]", within: 200), labelEnd + 1 < text.count,
                text[labelEnd + 1] == "(",
                let end = find(")", from: labelEnd + 2, within: 2000)
            else { return plain("[") }
            let label = String(text[(position + 1)..<labelEnd])
            let target = String(text[(labelEnd + 2)..<end])
            let isSafe = target.hasPrefix("https://") || target.hasPrefix("mailto:")
            guard isSafe, !target.contains(where: \.isWhitespace) else { return plain("[") }
            html +=
                "<a href=\"\(NotesInline.escape(target))\" rel=\"noopener noreferrer nofollow\">"
                + "\(NotesInline.escape(label))</a>"
            position = end + 1
        }

        private func find(_ wanted: Character, from start: Int? = nil, within limit: Int) -> Int? {
            let start = start ?? position + 1
            guard start <= text.count else { return nil }
            return text[start..<min(text.count, start + limit)].firstIndex(of: wanted)
        }
    }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
