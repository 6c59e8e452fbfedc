/// Untrusted text made safe for a message: one line on a terminal, in a log or on a page.
package struct PrintableText: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Escapes characters that control, hide or reverse the text around them, such as `\u{1B}`.
    ///
    /// The result has at most `limit` Unicode scalars, and ends with an ellipsis if text was cut off;
    /// only that many are examined.
    package init(escaping raw: some StringProtocol, limit: Int = 200) {
        self.init(
            raw.unicodeScalars.lazy.map { scalar in
                Self.isPlain(scalar)
                    ? String(scalar)
                    : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            },
            limit: limit,
        )
    }

    /// Escapes bytes that should be UTF-8; if they are not, every byte outside ASCII becomes `\x..`.
    package init(escaping bytes: ArraySlice<UInt8>, limit: Int = 200) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self.init(escaping: text, limit: limit)
            return
        }
        self.init(
            bytes.lazy.map { byte in
                (0x20..<0x7F).contains(byte)
                    ? String(Unicode.Scalar(byte)) : "\\x" + Hex.encode([byte])
            },
            limit: limit,
        )
    }

    /// Escapes a path in an archive, which may have any bytes.
    package init(escaping path: RelativePath, limit: Int = 200) {
        self.init(escaping: path.bytes[...], limit: limit)
    }

    /// A name as people write it, including joined emoji, for messages, pages and manifests.
    ///
    /// Line breaks become spaces; bidirectional overrides and outer white space are removed.
    package init(line raw: String) {
        let scalars = raw.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            switch scalar.value {
            case 0x202A...0x202E, 0x2066...0x2069: nil
            case 0x2028, 0x2029: " "
            default: scalar.properties.generalCategory == .control ? " " : scalar
            }
        }
        let line = String(String.UnicodeScalarView(scalars)).drop { $0.isWhitespace }
        text = line.lastIndex { !$0.isWhitespace }.map { String(line[...$0]) } ?? ""
    }

    /// Whether a text is suitable as a name.
    ///
    /// It must be one line without bidirectional overrides, outer white space or white space other than
    /// U+0020, and some of it must be visible.
    ///
    /// - Parameters:
    ///   - raw: the name.
    ///   - limit: the maximum number of characters; at most 16 times as many bytes, because a character
    ///     can have any number of marks.
    /// - Returns: whether it is suitable.
    package static func isName(_ raw: String, limit: Int) -> Bool {
        raw.utf8.count <= 16 * limit && raw.count <= limit && isVisible(raw)
            && PrintableText(line: raw).text == raw
            && raw.unicodeScalars.allSatisfy { $0 == " " || !$0.properties.isWhitespace }
    }

    /// Whether a text has a visible character: not white space, a control or a default-ignorable code point.
    package static func isVisible(_ raw: some StringProtocol) -> Bool {
        raw.unicodeScalars.contains { scalar in
            let properties = scalar.properties
            return isPlain(scalar) && !properties.isWhitespace
                && !properties.isDefaultIgnorableCodePoint
        }
    }

    private init(_ pieces: some Sequence<String>, limit: Int) {
        var text = ""
        var count = 0
        /// Where the text is cut if an ellipsis must follow.
        var end = text.endIndex
        for piece in pieces {
            let next = count + piece.unicodeScalars.count
            guard next <= limit else {
                self.text = text[..<end] + "…"
                return
            }
            text += piece
            count = next
            if count < limit { end = text.endIndex }
        }
        self.text = text
    }

    package var description: String { text }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            false
        default:
            true
        }
    }
}

extension DefaultStringInterpolation {
    /// Quotes untrusted text: `“Ana's iPhone”`.
    package mutating func appendInterpolation(quoted raw: some StringProtocol) {
        appendLiteral("“\(PrintableText(escaping: raw, limit: 100))”")
    }

    /// Quotes the first four of several texts.
    package mutating func appendInterpolation(quoted all: [String]) {
        let shown = all.prefix(4).map { "\(quoted: $0)" }.joined(separator: ", ")
        appendLiteral(all.count > 4 ? "\(shown) and \((all.count - 4).grouped) more" : shown)
    }
}
