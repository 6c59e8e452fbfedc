/// Inserts the texts of a language into a template before it is parsed.
///
/// `[[start.title]]` becomes the text; its `{name}` becomes the template's `{{name}}`, and `**words**`
/// become bold. `[[@lang]]`, `[[@dir]]` and `[[@languages]]` are the language's tag, its direction, and
/// the buttons of the language switch.
struct TemplateWords {
    let words: Words
    let languages: [Language]

    /// Returns whether a template differs between languages.
    static func isTranslated(_ template: String) -> Bool {
        template.contains("[[") || template.contains("{{<Layout}}")
    }

    func filled(_ template: String) -> String {
        var filled = ""
        var rest = template[...]
        while let start = rest.firstRange(of: "[["),
            let end = rest[start.upperBound...].firstRange(of: "]]")
        {
            filled += rest[..<start.lowerBound]
            filled += html(of: String(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return filled + rest
    }

    private func html(of key: String) -> String {
        switch key {
        case "@lang": words.language.tag
        case "@dir": words.language.isRightToLeft ? "rtl" : "ltr"
        case "@language": HTMLText.escaped(words.language.name)
        case "@languages": buttons
        default: Self.html(words.text(key))
        }
    }

    private var buttons: String {
        languages.map { language in
            let current = language == words.language ? " aria-current=\"true\"" : ""
            let direction = language.isRightToLeft ? "rtl" : "ltr"
            return "<button name=\"language\" value=\"\(language.tag)\" lang=\"\(language.tag)\" "
                + "dir=\"\(direction)\"\(current)>\(HTMLText.escaped(language.name))</button>"
        }.joined(separator: "\n")
    }

    private static func html(_ text: String) -> String {
        var html = ""
        for (index, part) in text.split(separator: "**", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { html += index % 2 == 1 ? "<b>" : "</b>" }
            for character in part.unicodeScalars {
                switch character {
                case "&": html += "&amp;"
                case "<": html += "&lt;"
                case ">": html += "&gt;"
                case "\"": html += "&quot;"
                case "{": html += "{{"
                case "}": html += "}}"
                default: html.unicodeScalars.append(character)
                }
            }
        }
        return html
    }
}
