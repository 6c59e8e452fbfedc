/// The kind of browser of a page's visitor, from the `User-Agent` header alone.
///
/// It only decides which hint comes first; nothing is refused because of it.
package enum Visitor: Hashable, Sendable {
    case phone
    case pad
    /// A Mac, or an iPad that identifies itself as one, as iPadOS 13 and later do.
    case mac
    /// The browser inside another app, where iOS ignores install links; nil for an unknown app.
    case inAppBrowser(app: String?)
    /// An Android device, on which nothing can be installed.
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

    /// Whether the page shows a QR code to scan.
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
