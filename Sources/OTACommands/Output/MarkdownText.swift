/// Untrusted text from a property list or a server, escaped for Markdown.
extension String {
    /// The text with every character escaped that could be markup.
    var markdown: String {
        printable.replacingScalars { scalar in
            switch scalar {
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            case "\\", "`", "*", "_", "{", "}", "[", "]", "(", ")", "#", "+", "!", "|", "~", "@",
                ":":
                "\\\(scalar)"
            default: nil
            }
        }
    }

    /// The text escaped for the angle brackets of a link, or the quotation marks of an attribute.
    var linkTarget: String {
        printable.replacingScalars { scalar in
            switch scalar {
            case "<": "%3C"
            case ">": "%3E"
            case "\\": "%5C"
            case "\"": "%22"
            case " ": "%20"
            default: nil
            }
        }
    }
}
