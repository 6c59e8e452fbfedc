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

    /// What a `<select>` offers; a template takes long to repeat a row for each of a thousand apps.
    ///
    /// - Parameter rows: what is sent, what is read, and whether it is chosen.
    /// - Returns: the markup, for a template to insert as it is.
    static func options(
        _ rows: some Sequence<(value: String, label: String, isChosen: Bool)>
    ) -> String {
        var markup = ""
        for row in rows {
            markup += #"<option value=""#
            markup += escaped(row.value)
            markup += row.isChosen ? #"" selected>"# : #"">"#
            markup += escaped(row.label)
            markup += "</option>"
        }
        return markup
    }
}
