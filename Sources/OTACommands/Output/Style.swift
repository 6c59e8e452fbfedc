/// Colours on a terminal, plain text everywhere else.
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
    /// The text without control characters, so that a name from an untrusted property list cannot control
    /// the terminal that shows it.
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

    /// The text with single scalars replaced, including those that are followed by a combining mark and are
    /// thus part of a longer character.
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

    /// The width in columns, assuming that one character takes one column.
    var columns: Int { isPlainASCII ? utf8.count : count }

    /// Whether the text is printable ASCII, as nearly every name is, which needs no Unicode tables.
    private var isPlainASCII: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension Unicode.Scalar {
    /// Whether the scalar moves the cursor, breaks lines or changes the direction of text on a terminal.
    var steersTerminal: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }
}
