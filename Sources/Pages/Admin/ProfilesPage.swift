import Bytes
package import Foundation
import Releases

/// The expirations of everything that builds depend on: profiles and certificates on one time axis.
package struct ProfilesPage: AdminPage {
    package let admin: AdminChrome
    let summary: String
    let scale: String?
    let items: [Row]
    let past: [Row]
    let isEmpty: Bool
    let hasPast: Bool
    let turn: PageTurn?
    /// The text if some items that are no longer in use are not shown; nil otherwise.
    let morePast: String?

    /// Items per page.
    package static let length = 100

    /// - Parameters:
    ///   - entries: the items, in any order.
    ///   - number: the page of those in use, from 1.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation.
    ///   - url: returns the path of a page by its number.
    package init(
        _ entries: [Entry],
        page number: Int = 1,
        at date: Date,
        admin: AdminChrome,
        url: (Int) -> String = { "?page=\($0)" },
    ) {
        self.admin = admin
        let sorted = entries.map { (place: $0.place, entry: $0) }.sorted { $0.place < $1.place }
            .map(\.entry)
        let current = sorted.filter(\.isInUse)
        let shown = current.dropFirst((number - 1) * Self.length).prefix(Self.length)
        let axis = TimeAxis(ends: shown.map(\.expires), at: date)
        items = shown.enumerated().map { Row($1, number: $0, axis: axis, at: date) }
        let unused = sorted.filter { !$0.isInUse }
        past = unused.suffix(Self.length).enumerated()
            .map { Row($1, number: $0 + shown.count, axis: nil, at: date) }
        morePast =
            unused.count > past.count
            ? "Only the \(past.count) that expire last are shown here, of \(unused.count.grouped)."
            : nil
        isEmpty = items.isEmpty
        turn = PageTurn(number: number, length: Self.length, total: current.count, url: url)
        hasPast = !past.isEmpty
        scale = items.isEmpty ? nil : axis.scale(identifier: "axis")
        let soon = current.filter { Deadline.tone(of: $0.expires, at: date) != "good" }.count
        summary =
            switch (current.count, soon) {
            case (0, _): "No release on a channel depends on a profile."
            case (_, 0): "Nothing expires within 30 days."
            default:
                "\(soon) of \(current.count) \(soon == 1 ? "expires" : "expire") within 30 days "
                    + "or \(soon == 1 ? "has" : "have") expired."
            }
    }

    /// One profile or certificate.
    package struct Entry: Sendable {
        package let name: String
        /// Such as `Ad Hoc profile` or `certificate`.
        package let kind: String
        package let team: String?
        package let begins: Date
        package let expires: Date
        /// The first of them; a certificate may be used by a thousand builds.
        package let uses: [Use]
        let moreUses: Int
        /// Whether a release that is offered now depends on it.
        package let isInUse: Bool

        /// - Parameters:
        ///   - name: its name.
        ///   - kind: its kind.
        ///   - team: its team.
        ///   - begins: when it was created.
        ///   - expires: when it expires.
        ///   - uses: the bundles that depend on it, of which only the first ``mostUses`` are shown.
        ///   - moreUses: how many further bundles there are.
        ///   - isInUse: whether a release that is offered now depends on it.
        package init(
            name: String,
            kind: String,
            team: String?,
            begins: Date,
            expires: Date,
            uses: [Use],
            moreUses: Int = 0,
            isInUse: Bool,
        ) {
            self.name = name
            self.kind = kind
            self.team = team
            self.begins = begins
            self.expires = expires
            self.uses = Array(uses.prefix(Self.mostUses))
            self.moreUses = moreUses + max(0, uses.count - Self.mostUses)
            self.isInUse = isInUse
        }

        /// The most bundles that a page names.
        package static let mostUses = 20

        /// The sort key: by day, and on one day by app.
        fileprivate var place: (Date, String, String) {
            let day = (expires.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
            return (Date(timeIntervalSince1970: day), uses.first?.title ?? "", name)
        }
    }

    /// A bundle that depends on something.
    package struct Use: Sendable {
        let title: String
        let bundle: String
        let url: String?

        /// `title` contains app, version and channels, `bundle` the path inside the archive.
        package init(title: String, bundle: String, url: String?) {
            self.title = title
            self.bundle = bundle
            self.url = url
        }
    }

    struct Row: Sendable {
        /// HTML.
        let name: String
        let kind: String
        let team: String?
        let tone: String
        let when: String
        let day: String
        let life: String?
        /// The first of them.
        let uses: [Use]
        /// Such as `and 7 more`; nil if all are shown.
        let moreUses: String?

        init(_ entry: Entry, number: Int, axis: TimeAxis?, at date: Date) {
            let title = ProfileTitle(entry.name)
            name = title.html
            kind = title.beginning ?? entry.kind
            team = entry.team
            tone = Deadline.tone(of: entry.expires, at: date)
            when =
                (entry.expires <= date ? "expired " : "expires ")
                + Wording.distance(to: entry.expires, from: date)
            day = Wording.day(entry.expires)
            uses = entry.uses
            moreUses = entry.moreUses > 0 ? "and \(entry.moreUses) more" : nil
            life = axis?.line(
                from: entry.begins,
                to: entry.expires,
                tone: tone,
                identifier: "life-\(number)",
                title: entry.name,
            )
        }
    }
}
