/// Renders one line of release notes: emphasis, strikethrough, code and links; everything else is
/// escaped.
enum NotesInline {
    static func html(_ text: some Sequence<Unicode.Scalar>) -> String {
        var reader = Reader(Array(text))
        return reader.read()
    }

    private struct Reader {
        private let text: [Unicode.Scalar]
        private var position = 0
        private var html = ""
        private var openMarks: [(mark: String, tag: String)] = []
        /// The last position of each closing mark, so that an opening mark without a partner is detected
        /// without scanning ahead repeatedly.
        private let lastPosition: [Unicode.Scalar: Int]
        /// The same for runs of backticks, by their length.
        private let lastTicks: [Int: Int]

        init(_ text: [Unicode.Scalar]) {
            self.text = text
            var (last, ticks, run) = ([Unicode.Scalar: Int](), [Int: Int](), 0)
            for (offset, scalar) in text.enumerated() {
                if "*_~])".unicodeScalars.contains(scalar) { last[scalar] = offset }
                if scalar == "`" {
                    run += 1
                } else if run > 0 {
                    ticks[run] = offset - run
                    run = 0
                }
            }
            if run > 0 { ticks[run] = text.count - run }
            (lastPosition, lastTicks) = (last, ticks)
        }

        mutating func read() -> String {
            while position < text.count {
                switch text[position] {
                case "`": code()
                case "*", "_": emphasis(text[position])
                case "~": strikethrough()
                case "[": link()
                case "\\": escape()
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

        /// Renders code, which a run of as many backticks as at its start ends.
        ///
        /// The scanned text is always consumed, because there is such an end.
        private mutating func code() {
            let length = text[position...].prefix { $0 == "`" }.count
            let start = position + length
            guard (lastTicks[length] ?? 0) >= start else {
                for _ in 0..<length { plain("`") }
                return
            }
            var end = start
            while end < text.count {
                let run = text[end...].prefix { $0 == "`" }.count
                if run == length { break }
                end += max(run, 1)
            }
            html += "<code>\(HTMLText.escaped(text[start..<min(end, text.count)]))</code>"
            position = min(end + length, text.count)
        }

        /// A backslash removes the meaning of the mark after it.
        private mutating func escape() {
            let next: Unicode.Scalar = position + 1 < text.count ? text[position + 1] : " "
            if "\\`*_~[]()#>|-+.!".unicodeScalars.contains(next) { position += 1 }
            plain(next == text[position] ? next : "\\")
        }

        private mutating func strikethrough() {
            let count = text[position...].prefix(3).prefix { $0 == "~" }.count
            let behind = position + 2
            guard count == 2 else {
                while position < text.count, text[position] == "~" { plain("~") }
                return
            }
            if openMarks.last?.mark == "~~" {
                openMarks.removeLast()
                html += "</del>"
                position = behind
            } else if openMarks.count < 4, behind < text.count,
                !text[behind].properties.isWhitespace, (lastPosition["~"] ?? 0) > behind,
                !openMarks.contains(where: { $0.mark == "~~" })
            {
                openMarks.append(("~~", "del"))
                html += "<del>"
                position = behind
            } else {
                html += "~~"
                position = behind
            }
        }

        private mutating func emphasis(_ character: Unicode.Scalar) {
            let run = text[position...].prefix(3).prefix { $0 == character }.count
            let single = String(character)
            // The first of three in a row closes a single mark that was opened last.
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
                before.properties.isWhitespace || Character(before).isPunctuation
                    || character == "*" && Self.isOfWritingWithoutSpaces(before),
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

        /// Whether words may follow without a space, as in Chinese, Japanese, Thai and Lao.
        private static func isOfWritingWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isIdeographic || (0x3005...0x30ff).contains(scalar.value)
                || (0x0e00...0x0eff).contains(scalar.value)
        }

        /// Renders `[label](https://…)`; links of other schemes, except `mailto`, remain text.
        private mutating func link() {
            guard (lastPosition["]"] ?? 0) > position, (lastPosition[")"] ?? 0) > position,
                let labelEnd = find("]", from: position + 1), labelEnd + 1 < text.count,
                text[labelEnd + 1] == "(",
                let end = find(")", from: labelEnd + 2)
            else { return plain("[") }
            let label = string(position + 1, labelEnd)
            let target = string(labelEnd + 2, end)
            let isSafe = target.hasPrefix("https://") || target.hasPrefix("mailto:")
            // Checks scalars, because a Swift `Character` may combine a space with a preceding character.
            let isOneWord = !target.unicodeScalars.contains {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
            }
            guard isSafe, isOneWord else { return plain("[") }
            html +=
                "<a href=\"\(HTMLText.escaped(target))\" rel=\"noopener noreferrer nofollow\">"
                + "\(HTMLText.escaped(label))</a>"
            position = end + 1
        }

        /// Stops where another link may start, so that each stretch of text is scanned once.
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
