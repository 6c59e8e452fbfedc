/// Text escaped for HTML, between tags and within quoted attributes.
///
/// Escapes Unicode scalars, because a quotation mark with a combining accent is one Swift `Character`,
/// but a browser ends the attribute at the quotation mark all the same.
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

    /// Returns the options of a `<select>`; a template is slow at rendering a row for each of a thousand
    /// apps.
    ///
    /// - Parameter rows: the submitted value, the label, and whether the option is selected.
    /// - Returns: the markup, which a template must not escape.
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
