import Bundles
import Bytes
import Foundation
import Identifiers
import Releases
import Store

/// Writes the text of notices.
///
/// Untrusted names are shown as plain text of bounded length, and no text contains a device's identifier.
struct NoticeWriter {
    let apps: [BundleIdentifier: AppRecord]
    /// Nil if the server's URL is unknown.
    let links: Links?
    let date: Date
    let random: (Int) -> [UInt8]

    /// The number of names in a list; any others are only counted.
    static let mostNames = 5

    func title(of app: BundleIdentifier) -> String {
        Self.plain(apps[app]?.title ?? app.rawValue)
    }

    /// Creates a notice with the properties that all notices have.
    func notice(
        _ event: NoticeEvent,
        _ title: String,
        _ message: String,
        about apps: [BundleIdentifier] = [],
    ) -> Notice {
        var notice = Notice(
            identifier: Hex.encode(random(16)),
            event: event,
            date: date,
            title: DeviceUDID.masked(in: title),
            message: DeviceUDID.masked(in: message),
        )
        notice.apps = apps.map { Notice.App(bundleIdentifier: $0, title: self.title(of: $0)) }
        return notice
    }

    /// `Forks, Browsey and 3 more`.
    static func list(_ names: [String]) -> String {
        list(first: names.prefix(mostNames), of: names.count)
    }

    /// The same for `count` names, of which the first ``mostNames`` are given.
    static func list(first shown: some BidirectionalCollection<String>, of count: Int) -> String {
        let rest = count - shown.count
        if rest > 0 { return shown.joined(separator: ", ") + " and \(rest.grouped) more" }
        guard shown.count > 1, let last = shown.last else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }

    static func plain(_ text: String) -> String {
        PrintableText(escaping: text, limit: 120).text
    }
}

extension Links {
    /// The absolute URL of an admin page, for readers of a notice outside the server.
    func admin(_ path: (AdminLinks) -> String) -> String {
        absolute(String(path(AdminLinks(base: base)).dropFirst(base.path.count)))
    }
}
