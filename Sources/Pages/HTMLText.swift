/// Text made safe for HTML, between tags and within quoted attributes.
///
/// By Unicode scalar: Swift takes a quotation mark and a combining accent for one character, and
/// a browser ends the attribute at the quotation mark all the same.
enum HTMLText {
    static func escaped(_ text: String) -> String { escaped(text.unicodeScalars) }

    static func escaped(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var escaped = ""
        for scalar in scalars {
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
