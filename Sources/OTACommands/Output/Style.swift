/// Colour where a person looks at a terminal, plain text everywhere else.
package struct Style: Sendable {
    package static let plain = Style(isColoured: false)
    package static let coloured = Style(isColoured: true)

    let isColoured: Bool

    func good(_ text: String) -> String { paint(text, "32") }
    func warning(_ text: String) -> String { paint(text, "33") }
    func bad(_ text: String) -> String { paint(text, "31") }
    func strong(_ text: String) -> String { paint(text, "1") }
    func faint(_ text: String) -> String { paint(text, "2") }
    func link(_ text: String) -> String { paint(text, "4;36") }

    func unchanged(_ text: String) -> String { text }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// The text without control characters, so that a name from a stranger's property list cannot
    /// steer the terminal that shows it.
    var printable: String {
        guard !isPlainASCII, unicodeScalars.contains(where: \.steersTerminal) else {
            return self
        }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.steersTerminal ? "\u{FFFD}" : $0 }
            )
        )
    }

    /// The text with what stands for single scalars, also those that a mark follows and that are part
    /// of a longer character so.
    func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let other = replacement(scalar) {
                text.unicodeScalars.append(contentsOf: other.unicodeScalars)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// How many columns it takes, as far as one character is one column.
    var columns: Int { isPlainASCII ? utf8.count : count }

    /// What nearly every name is, and what needs no look at Unicode's tables.
    private var isPlainASCII: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension Unicode.Scalar {
    /// Whether it moves, breaks or turns round what a terminal shows.
    var steersTerminal: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }
}
