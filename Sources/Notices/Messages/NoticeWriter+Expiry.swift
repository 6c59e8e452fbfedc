import Bundles
import Foundation
import Identifiers
import Releases

extension NoticeWriter {
    /// Returns the notice about items of the same apps that expire within the same reminder.
    ///
    /// - Parameters:
    ///   - items: the items, earliest first.
    ///   - threshold: the number of days before the expiry; 0 for the expiry itself.
    /// - Returns: nil if there are no items.
    func notice(of items: [ExpiringItem], threshold: Int) -> Notice? {
        guard let first = items.first else { return nil }
        let when = Wording.distance(to: first.expires, from: date)
        let verb = threshold == 0 ? "expired" : "expires"
        let subject =
            items.count == 1
            ? "The \(first.kind.title) \(Self.plain(first.name))"
            : "\(items.count) \(Self.kinds(of: items))"
        let title =
            items.count == 1 ? "\(subject) \(verb) \(when)" : "\(subject) \(verb.plural) \(when)"
        let sentences = items.prefix(5).map(sentence)
        let rest = items.count - sentences.count
        let more = rest > 0 ? ["And \(rest) more."] : []
        let fixes = items.map(\.fix).reduce(into: [String]()) { found, fix in
            if !found.contains(fix) { found.append(fix) }
        }
        var notice = notice(
            threshold == 0 ? .expired : .expiring,
            title,
            (sentences + more + fixes).joined(separator: " "),
            about: Set(items.flatMap(\.apps)).sorted { $0.rawValue < $1.rawValue },
        )
        notice.threshold = threshold
        notice.ending = items.map { item in
            Notice.Ending(
                kind: item.kind,
                name: Self.plain(item.name),
                identifier: Self.plain(item.identifier),
                expires: item.expires,
                places: Array(item.places.filter { !$0.channels.isEmpty }.prefix(20)),
            )
        }
        notice.link = links?.admin(first.kind == .token ? \.tokens : \.profiles)
        return notice
    }

    private func sentence(_ item: ExpiringItem) -> String {
        let verb = item.expires <= date ? "expired" : "expires"
        let apps = item.apps.map(title)
        let whose = apps.isEmpty ? "" : " of \(Self.list(apps))"
        return "The \(item.kind.title) \(Self.plain(item.name))\(whose) \(verb) on "
            + "\(Wording.day(item.expires))."
    }

    private static func kinds(of items: [ExpiringItem]) -> String {
        let kinds = Set(items.map(\.kind))
        return switch kinds {
        case [.profile]: "profiles"
        case [.certificate]: "certificates"
        case [.profile, .certificate]: "profiles and certificates"
        case [.token]: "tokens"
        default: "things"
        }
    }
}

extension String {
    /// The plural form of the verb.
    fileprivate var plural: String { self == "expires" ? "expire" : self }
}
