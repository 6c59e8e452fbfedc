/// A stranger's text as a sentence may carry it: one line on a terminal, in a log and on a page.
package struct PrintableText: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Writes characters that control, hide or reverse the text around them as escapes, such as
    /// `\u{1B}`.
    ///
    /// The result has at most `limit` Unicode scalars, the last an ellipsis where more was said;
    /// no more than that is checked.
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

    /// The same of bytes that should be UTF-8; where they are not, as ASCII with `\x..` for the rest.
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

    /// A path of an archive, whose bytes may be anything.
    package init(escaping path: RelativePath, limit: Int = 200) {
        self.init(escaping: path.bytes[...], limit: limit)
    }

    /// A name as people write it, joined emoji and all, for sentences, pages and manifests.
    ///
    /// Line breaks become spaces; overrides of direction and outer white space are removed.
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

    /// Whether a name can stand where people read names.
    ///
    /// It is one line without overrides of direction, outer space and spaces that are no plain ones,
    /// and some of it can be seen.
    ///
    /// - Parameters:
    ///   - raw: the name.
    ///   - limit: the most characters; one may be built of any number of marks, so its bytes are
    ///     counted too.
    /// - Returns: whether it can.
    package static func isName(_ raw: String, limit: Int) -> Bool {
        raw.utf8.count <= 16 * limit && raw.count <= limit && isVisible(raw)
            && PrintableText(line: raw).text == raw
            && raw.unicodeScalars.allSatisfy { $0 == " " || !$0.properties.isWhitespace }
    }

    /// Whether anything of a text is more than space, or marks that shape what stands beside them.
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
        /// Where the text ends if an ellipsis must follow.
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
    /// Quotes text that a stranger chose: `“Ana's iPhone”`.
    package mutating func appendInterpolation(quoted raw: some StringProtocol) {
        appendLiteral("“\(PrintableText(escaping: raw, limit: 100))”")
    }

    /// Quotes the first few of several.
    package mutating func appendInterpolation(quoted all: [String]) {
        let shown = all.prefix(4).map { "\(quoted: $0)" }.joined(separator: ", ")
        appendLiteral(all.count > 4 ? "\(shown) and \((all.count - 4).grouped) more" : shown)
    }
}
