import Foundation
import Releases

/// A notice in the format of Discord webhooks: one embed (discord.com/developers, "Execute Webhook").
struct DiscordEmbed: Encodable {
    /// Discord's limits in characters, which it counts in UTF-16.
    private static let titleLimit = 256
    private static let descriptionLimit = 4096

    private let username = "ota"
    private let embeds: [Embed]
    /// Names in the text must not mention anyone.
    private let mentions = Mentions(parse: [])

    init(of notice: Notice) {
        embeds = [
            Embed(
                title: Self.escaped(notice.title, limit: Self.titleLimit),
                description: Self.description(of: notice),
                url: notice.link,
                timestamp: notice.date,
            )
        ]
    }

    private static func description(of notice: Notice) -> String {
        let end = notice.runLink.map { "\n[CI job](\($0))" } ?? ""
        return escaped(notice.message, limit: descriptionLimit - end.utf16.count) + end
    }

    private enum CodingKeys: String, CodingKey {
        case username, embeds
        case mentions = "allowed_mentions"
    }

    /// Escapes Discord's markup; a text that is too long ends in an ellipsis.
    static func escaped(_ text: String, limit: Int) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            let isMarkup = "\\*_~`|<>[]()#:@-".unicodeScalars.contains(scalar)
            let piece = (isMarkup ? "\\" : "") + String(scalar)
            count += piece.utf16.count
            guard count < limit else { return result + "\u{2026}" }
            result += piece
        }
        return result
    }

    private struct Embed: Encodable {
        let title, description: String
        let url: String?
        let timestamp: Date
    }

    private struct Mentions: Encodable {
        let parse: [String]
    }
}
