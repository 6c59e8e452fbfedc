/// A notice as Slack's `text`, in which three characters mean something to Slack itself
/// (docs.slack.dev, "Formatting message text"): with those escaped no name becomes a link or a call
/// for everyone.
enum SlackText {
    static func text(of notice: Notice) -> String {
        var text = "*\(escaped(notice.title))*\n\(escaped(notice.message))"
        if let link = notice.link { text += "\n<\(escaped(link))|Open>" }
        if let run = notice.runLink { text += "\n<\(run)|CI job>" }
        return text
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // Would end the emphasis, or begin one.
            case "*", "_", "~", "`": result += "\(scalar)\u{2060}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
