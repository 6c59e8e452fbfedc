/// Text from a property list or a server, in Markdown that it must not steer.
extension String {
    /// Shown as it is wherever Markdown is: every character that could be markup is escaped.
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

    /// What may stand between the angle brackets of a link, or the quotation marks of an attribute.
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
