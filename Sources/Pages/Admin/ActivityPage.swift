package import Identifiers
package import Releases

/// The activity log, newest first, a page at a time.
package struct ActivityPage: AdminPage {
    package let admin: AdminChrome
    let actionURL: String
    /// Options of apps, as markup.
    let filters: String
    let hasFilters: Bool
    let kinds: [Kind]
    let actor: String
    let from: String
    let to: String
    let isFiltered: Bool
    let allURL: String
    let days: [Day]
    let isEmpty: Bool
    let newerURL: String?
    let olderURL: String?
    /// Nil for a visitor who may not see everything.
    let exports: Exports?

    /// - Parameters:
    ///   - rows: the entries by day, newest first.
    ///   - apps: the apps that the log can be filtered by.
    ///   - chosen: the app that the log is filtered by; nil for all.
    ///   - filter: the other filters.
    ///   - pages: the paths of the newer and older entries.
    ///   - isExported: whether the visitor may export the log as files.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(
        _ rows: [ActivityRow],
        apps: [AppRecord],
        chosen: Slug?,
        filter: ActivityFilter = ActivityFilter(),
        pages: (newer: String?, older: String?),
        isExported: Bool,
        links: AdminLinks,
        admin: AdminChrome,
    ) {
        self.admin = admin
        actionURL = links.activity
        filters = HTMLText.options(
            apps.lazy.map { ($0.slug.rawValue, $0.title, $0.slug == chosen) }
        )
        hasFilters = apps.count > 1
        kinds = Activity.Event.allCases.map(\.rawValue).sorted().map {
            Kind(value: $0, name: Self.words(of: $0), isChosen: $0 == filter.kind?.rawValue)
        }
        actor = filter.actor ?? ""
        from = filter.from?.description ?? ""
        to = filter.to?.description ?? ""
        isFiltered = chosen != nil || !filter.isEmpty
        allURL = links.activity
        var days: [Day] = []
        for row in rows {
            if let day = row.day ?? (days.isEmpty ? "" : nil) {
                days.append(Day(name: day, rows: [row]))
            } else {
                days[days.count - 1].rows.append(row)
            }
        }
        self.days = days
        isEmpty = rows.isEmpty
        newerURL = pages.newer
        olderURL = pages.older
        exports =
            isExported
            ? Exports(
                activity: links.exportedActivity(of: chosen, matching: filter),
                installs: links.exportedInstalls(of: chosen),
            ) : nil
    }

    struct Exports: Sendable {
        let activity: String
        let installs: String
    }

    struct Kind: Sendable {
        let value: String
        let name: String
        let isChosen: Bool
    }

    /// `Device approved` for `deviceApproved`.
    private static func words(of event: String) -> String {
        if let title = titles[event] { return title }
        let words = event.replacing(/[A-Z]/) { " " + $0.output.lowercased() }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Titles of kinds whose identifiers would read badly.
    private static let titles = [
        "accountAgreed": "Account access allowed",
        "accountDiffers": "Account changes needed",
        "buildAsked": "Build requested",
        "certificateAsked": "Certificate requested",
        "signInLinkMade": "Sign-in link created",
        "signInRemoved": "Sign-in removed",
        "signInSet": "Sign-in configured",
        "signingAsked": "Signing requested",
        "syncAsked": "Sync requested",
    ]

    struct Day: Sendable {
        let name: String
        var rows: [ActivityRow]
    }
}
