import Bytes
import Foundation
import Notices
import Pages
import Releases

/// What expires soon: a banner on the overview, and a number beside *Profiles* on all pages.
struct ExpiryBanner {
    /// The number of days for which expirations are announced in advance.
    private static let days = 30
    /// The number of days before an expiration from which it is urgent.
    private static let urgentDays = 3

    private let items: [ExpiringItem]
    private let date: Date

    init(of timeline: ExpiryTimeline, at date: Date) {
        self.date = date
        items = timeline.due(within: TimeInterval(Self.days) * 86_400, of: date).filter { item in
            switch item.kind {
            case .profile, .certificate, .serverCertificate: true
            // Requests with an expired token fail, so its users notice.
            case .token: item.expires > date
            case .invitation: false
            }
        }
    }

    /// The number of things that expire.
    var count: Int { items.count }

    /// Returns the banner, with a link to `url`, the list of everything that expires; nil if nothing
    /// does.
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
