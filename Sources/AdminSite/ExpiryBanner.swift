import Bytes
import Foundation
import Notices
import Pages
import Releases

/// What expires soon: a banner on the overview, and a number beside *Profiles* on every other page.
struct ExpiryBanner {
    /// How many days ahead expirations are announced.
    private static let days = 30
    /// Days before the end from which on it is urgent.
    private static let urgentDays = 3

    private let items: [ExpiringItem]
    private let date: Date

    init(of timeline: ExpiryTimeline, at date: Date) {
        self.date = date
        items = timeline.due(within: TimeInterval(Self.days) * 86_400, of: date).filter { item in
            switch item.kind {
            case .profile, .certificate, .serverCertificate: true
            // Requests with an expired token fail, so their sender notices.
            case .token: item.expires > date
            case .invitation: false
            }
        }
    }

    /// How many things expire.
    var count: Int { items.count }

    /// What to show, with a way to `url` where everything that ends is listed; nil when nothing does.
    func banner(leadingTo url: String) -> AdminChrome.Banner? {
        guard let first = items.first else { return nil }
        let days = Wording.days(from: date, to: first.expires)
        let verb = first.expires <= date ? "expired" : "expires"
        let rest = items.count - 1
        let more =
            switch rest {
            case ..<1: ""
            case 1: " 1 more item expires within \(Self.days) days."
            default: " \(rest.grouped) more items expire within \(Self.days) days."
            }
        return AdminChrome.Banner(
            tone: days <= Self.urgentDays ? "bad" : "warn",
            title: "The \(first.kind.title) \(first.name) \(verb) "
                + "\(Wording.distance(to: first.expires, from: date))",
            message: "\(first.consequence(at: date)) \(first.fix)\(more)",
            url: url,
        )
    }
}
