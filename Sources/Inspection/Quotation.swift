/// Text from a stranger's archive as a sentence may carry it.
///
/// Control characters and what reorders or hides text are written as escapes, and length is
/// bounded, so that a message stays one line on a terminal, in a log and on a page.
struct Quotation: CustomStringConvertible {
    let text: String

    init(_ raw: String, limit: Int = 100) {
        var text = ""
        for scalar in raw.unicodeScalars.prefix(limit) {
            if Self.isPlain(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        self.text = raw.unicodeScalars.count > limit ? text + "…" : text
    }

    var description: String { "“\(text)”" }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            false
        default:
            true
        }
    }
}

extension DefaultStringInterpolation {
    /// Quotes text that a stranger chose.
    mutating func appendInterpolation(quoted raw: some StringProtocol) {
        appendInterpolation(Quotation(String(raw)))
    }

    /// Quotes the first few of several.
    mutating func appendInterpolation(quoted all: [String]) {
        let shown = all.prefix(4).map { Quotation($0).description }.joined(separator: ", ")
        appendLiteral(all.count > 4 ? "\(shown) and \(all.count - 4) more" : shown)
    }
}
