/// A notice for the Microsoft Teams workflow "Post to a channel when a webhook request is received": a
/// message with one Adaptive Card (learn.microsoft.com, "Create incoming webhooks with Workflows").
///
/// All text is in `TextRun` elements, in which Markdown has no effect, so no name becomes a link or a
/// mention.
struct TeamsCard: Encodable {
    private let type = "message"
    private let attachments: [Attachment]

    init(of notice: Notice) {
        let title = Line(
            inlines: [Run(text: Self.inert(notice.title), size: "Medium", weight: "Bolder")]
        )
        let sentences = notice.message.split(separator: "\n").map { line in
            Line(inlines: [Run(text: Self.inert(String(line)), size: nil, weight: nil)])
        }
        attachments = [
            Attachment(
                content: Card(
                    body: [title] + sentences,
                    actions: [
                        notice.link.map { Open(title: "Open", url: $0) },
                        notice.runLink.map { Open(title: "CI job", url: $0) },
                    ].compactMap(\.self),
                )
            )
        ]
    }

    /// Teams would replace `{{DATE(…)}}` with a date in the reader's format.
    static func inert(_ text: String) -> String {
        text.replacing("{{", with: "{\u{2060}{")
    }

    private struct Attachment: Encodable {
        let contentType = "application/vnd.microsoft.card.adaptive"
        let content: Card
    }

    private struct Card: Encodable {
        let schema = "http://adaptivecards.io/schemas/adaptive-card.json"
        let type = "AdaptiveCard"
        let version = "1.4"
        let body: [Line]
        let actions: [Open]

        private enum CodingKeys: String, CodingKey {
            case type, version, body, actions
            case schema = "$schema"
        }
    }

    private struct Line: Encodable {
        let type = "RichTextBlock"
        let inlines: [Run]
    }

    private struct Run: Encodable {
        let type = "TextRun"
        let text: String
        let size, weight: String?
    }

    private struct Open: Encodable {
        let type = "Action.OpenUrl"
        let title: String
        let url: String
    }
}
