/// What a page can know of who looks at it, from the `User-Agent` header alone.
///
/// Nothing is refused because of it: it only chooses which hint comes first.
package enum Visitor: Hashable, Sendable {
    case phone
    case pad
    /// A Mac, or an iPad that calls itself one, as iPadOS 13 and later do.
    case mac
    /// The browser inside another app, where iOS ignores install links; nil for one without a name.
    case inAppBrowser(app: String?)
    /// Nothing here installs on it.
    case android
    case other

    package init(userAgent: String?) {
        let agent = String((userAgent ?? "").prefix(1024))
        let isApple = ["iPhone", "iPad", "iPod", "Macintosh"].contains(where: agent.contains)
        if isApple, let app = Self.embedders.first(where: { agent.contains($0.token) }) {
            self = .inAppBrowser(app: app.name)
        } else if isApple, !agent.contains("Macintosh"), !agent.contains("Safari/") {
            self = .inAppBrowser(app: nil)
        } else if agent.contains("iPhone") || agent.contains("iPod") {
            self = .phone
        } else if agent.contains("iPad") {
            self = .pad
        } else if agent.contains("Macintosh") {
            self = .mac
        } else if agent.contains("Android") {
            self = .android
        } else {
            self = .other
        }
    }

    /// Whether the page offers a code to scan.
    package var wantsCode: Bool {
        switch self {
        case .mac, .android, .other: true
        case .phone, .pad, .inAppBrowser: false
        }
    }

    private static let embedders: [(token: String, name: String)] = [
        ("FBAN", "Facebook"), ("FBAV", "Facebook"), ("Instagram", "Instagram"), ("Line/", "LINE"),
        ("MicroMessenger", "WeChat"), ("Slack", "Slack"), ("Twitter", "X"),
        ("LinkedInApp", "LinkedIn"),
        ("Snapchat", "Snapchat"), ("Telegram", "Telegram"), ("Teams/", "Microsoft Teams"),
        ("Discord", "Discord"), ("GSA/", "Google"), ("musical_ly", "TikTok"),
    ]
}
