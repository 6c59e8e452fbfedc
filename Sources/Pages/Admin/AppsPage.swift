import Bundles
import Bytes
package import Foundation
package import Identifiers
package import Releases

/// The list of a team's apps for admins.
package struct AppsPage: AdminPage {
    package let admin: AdminChrome
    let total: String
    let apps: [Row]
    /// Nil if there are so few apps that they need no search.
    let sift: AppsSift?
    /// Links to the apps in use and the archived ones; empty if none is archived.
    let filters: [Filter]
    let hasFilters: Bool
    /// The text if a search finds nothing.
    let emptiness: String?
    let isNew: Bool
    let turn: PageTurn?
    let newApp: NewAppForm?
    let publishURL: String?

    /// - Parameters:
    ///   - apps: the apps that the user may see.
    ///   - part: the query, and the part of the matches on the page; nil for all apps.
    ///   - newApp: nil for users who may not add apps.
    ///   - publishURL: the form that publishes a build; nil for users who may not publish.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation.
    package init(
        apps: [Entry],
        part: Part? = nil,
        newApp: NewAppForm? = nil,
        publishURL: String? = nil,
        at date: Date,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.publishURL = publishURL
        total = Wording.count(part?.found ?? apps.count, "app")
        let isSearched = part?.query.search.isEmpty == false
        let needsSearch = (part?.found ?? 0) > Part.fewApps || isSearched
        sift = needsSearch ? part.map { AppsSift($0.query, $0.links) } : nil
        let archived = part?.archived ?? 0
        let isArchive = part?.query.isArchive == true
        filters = part.map { archived > 0 || isArchive ? Filter.all(of: $0) : [] } ?? []
        hasFilters = !filters.isEmpty
        emptiness = apps.isEmpty ? part.flatMap(Self.emptiness) : nil
        isNew = apps.isEmpty && emptiness == nil
        turn = part?.turn
        self.apps = apps.map { Row($0, at: date) }
        self.newApp = newApp
    }

    /// Returns why the page lists no app; nil if there are no apps at all.
    private static func emptiness(of part: Part) -> String? {
        if !part.query.search.isEmpty { return "No app matches “\(part.query.search)”." }
        if part.query.isArchive { return "No app is archived." }
        return part.archived > 0 ? "All apps are archived." : nil
    }

    /// The query, and the part of the matches on the page.
    package struct Part: Sendable {
        /// The number of apps up to which there is no search.
        static let fewApps = 8

        let query: AppsQuery
        let found: Int
        /// The number of all archived apps.
        let archived: Int
        let turn: PageTurn?
        let links: AdminLinks

        package init(
            of query: AppsQuery,
            found: Int,
            archived: Int = 0,
            turn: PageTurn?,
            links: AdminLinks,
        ) {
            self.query = query
            self.found = found
            self.archived = archived
            self.turn = turn
            self.links = links
        }
    }

    /// A link to one of the two lists.
    struct Filter: Sendable {
        let title: String
        let number: String?
        let url: String
        let isCurrent: Bool

        static func all(of part: Part) -> [Filter] {
            [false, true].map { isArchive in
                Filter(
                    title: isArchive ? "Archived" : "In use",
                    number: isArchive ? part.archived.grouped : nil,
                    url: part.links.apps(AppsQuery(order: part.query.order, isArchive: isArchive)),
                    isCurrent: part.query.isArchive == isArchive,
                )
            }
        }
    }

    /// One app with the releases in its channels.
    package struct Entry: Sendable {
        package let app: AppRecord
        /// By the channel's name.
        package let offers: [(channel: ChannelName, release: Release)]
        package let releases: Int
        /// In the last 30 days.
        package let installs: Int
        package let url: String
        package let iconURL: String?

        /// - Parameters:
        ///   - app: the app.
        ///   - offers: its channels' releases, by channel name.
        ///   - counts: the number of its releases, and of its installs in the last 30 days.
        ///   - url: the path of the app's page.
        ///   - iconURL: nil if nothing is offered.
        package init(
            app: AppRecord,
            offers: [(channel: ChannelName, release: Release)],
            counts: (releases: Int, installs: Int),
            url: String,
            iconURL: String?,
        ) {
            self.app = app
            self.offers = offers
            releases = counts.releases
            installs = counts.installs
            self.url = url
            self.iconURL = iconURL
        }
    }

    struct Row: Sendable {
        let title: String
        let identifier: String
        let url: String
        let icon: String?
        let access: Chip
        let isHidden: Bool
        let offers: [Offer]
        /// The text if no channel offers anything.
        let nothing: String?
        /// Nil for an app without releases, which `nothing` says.
        let counts: String?

        init(_ entry: Entry, at date: Date) {
            title = entry.app.title
            identifier = entry.app.bundleIdentifier.rawValue
            url = entry.url
            icon = entry.iconURL
            access = Chip(entry.app.access)
            isHidden = !entry.app.isListed && !entry.app.isArchived
            offers = entry.offers.map { Offer($0.channel, $0.release, at: date) }
            nothing =
                entry.offers.isEmpty
                ? Wording.nothingOffered(releases: entry.releases) : nil
            counts =
                entry.releases == 0 && entry.installs == 0
                ? nil
                : Wording.count(entry.releases, "release") + ", "
                    + Wording.count(entry.installs, "install") + " in 30 days"
        }
    }

    struct Offer: Sendable {
        let channel: String
        let version: String
        let build: String
        let published: String
        let states: [Chip]

        init(_ channel: ChannelName, _ release: Release, at date: Date) {
            self.channel = channel.rawValue
            version = release.version
            build = release.build
            published = Wording.distance(to: release.published, from: date)
            states = Chip.state(of: release, at: date)
        }
    }
}

extension Wording {
    /// Returns why an app has nothing to install: it has no build, or none in a channel.
    static func nothingOffered(releases count: Int) -> String {
        count == 0 ? "No build has been published yet." : "No release is on a channel."
    }
}
