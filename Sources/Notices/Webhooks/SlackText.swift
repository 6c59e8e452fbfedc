/// A notice as Slack's `text` (docs.slack.dev, "Formatting message text").
///
/// Three characters are markup in Slack and are escaped, so that no name becomes a link or a mention of
/// everyone.
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
            // These would begin or end emphasis.
            case "*", "_", "~", "`": result += "\(scalar)\u{2060}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
