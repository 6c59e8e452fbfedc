import Access
import Administration
import Bundles
import Foundation
import Identifiers
import Inspection
import Pages
import Problems
import Releases
import SiteServices
import Store

extension AdminApps {
    /// Returns the apps of a list, in its order.
    static func found(_ query: AppsQuery, for visit: AdminRequest) throws -> [AppRecord] {
        let apps = try visit.apps().filter(query.matches)
        switch query.order {
        case .title: return apps
        case .installs:
            let installs = try installs(of: visit)
            return sorted(apps) { installs[$0.bundleIdentifier] ?? 0 }
        case .recent:
            let newest = try newestOffers(of: apps, in: visit.store)
            return sorted(apps) { newest[$0.bundleIdentifier] ?? .distantPast }
        }
    }

    /// Sorts by value, the highest first; apps of equal value keep their order.
    private static func sorted<Value: Comparable>(
        _ apps: [AppRecord],
        by value: (AppRecord) -> Value,
    ) -> [AppRecord] {
        apps.map { (value: value($0), app: $0) }.sorted { $0.value > $1.value }.map(\.app)
    }

    /// Returns the list's entries of some of its apps.
    static func entries(
        of apps: some Sequence<AppRecord>,
        for visit: AdminRequest,
    ) throws -> [AppsPage.Entry] {
        let installs = try installs(of: visit)
        return try apps.map { app in
            let offers = try offers(of: app, in: visit.store)
            let links = visit.links.pages(of: app.slug)
            return AppsPage.Entry(
                app: app,
                offers: offers,
                counts: (
                    releases: try visit.store.releaseIdentifiers(of: app.bundleIdentifier).count,
                    installs: installs[app.bundleIdentifier] ?? 0,
                ),
                url: links.page,
                iconURL: offers.isEmpty ? nil : links.icon,
            )
        }
    }

    /// Returns the number of installs of each app in the last 30 days.
    private static func installs(of visit: AdminRequest) throws -> [BundleIdentifier: Int] {
        let month = visit.now.addingTimeInterval(-30 * 86_400)
        var installs: [BundleIdentifier: Int] = [:]
        for attempt in try visit.store.installAttempts(of: nil, since: month)
        where attempt.outcome == .downloaded {
            installs[attempt.app, default: 0] += 1
        }
        return installs
    }

    /// Returns when the newest build in any channel was published, of each app that has one.
    private static func newestOffers(
        of apps: [AppRecord],
        in store: OTAStore,
    ) throws -> [BundleIdentifier: Date] {
        let offers = apps.reduce(into: [:]) { $0[$1.bundleIdentifier] = Set($1.channels.values) }
        var newest: [BundleIdentifier: Date] = [:]
        // Newest first.
        for known in try NewestRelease.all(in: store, ofEach: NewestRelease.usualCount)
        where newest[known.app] == nil && offers[known.app]?.contains(known.release) == true {
            newest[known.app] = known.published
        }
        return newest
    }

    /// Returns the page of an app; `wanted` are settings that were refused because of `problem`.
    static func page(
        of app: AppRecord,
        _ number: Int,
        for visit: AdminRequest,
        wanting wanted: AppRecord? = nil,
        _ problem: Problem? = nil,
    ) throws -> AppPage {
        let links = visit.links.pages(of: app.slug)
        let offers = try offers(of: app, in: visit.store).map { channel, release in
            let coverage = try visit.coverage(of: release)
            return AppPage.Offer(
                channel: channel,
                release: release,
                canInstall: coverage.able.count,
                devices: coverage.total,
            )
        }
        let total = try visit.store.releaseIdentifiers(of: app.bundleIdentifier).count
        guard number == 1 || (number - 1) * pageLength < total else { throw Refusal.notFound }
        return AppPage(
            app: app,
            contents: AppPage.Contents(
                offers: offers,
                releases: try visit.store.releases(
                    of: app.bundleIdentifier,
                    offset: (number - 1) * pageLength,
                    count: pageLength,
                ),
                total: total,
                turn: PageTurn(
                    number: number,
                    length: pageLength,
                    total: total,
                    url: { links.page($0) + "#releases" },
                ),
            ),
            links: AppPage.Links(
                apps: visit.links.apps,
                admin: links,
                shown: visit.site.links.app(app.slug),
                icon: offers.isEmpty ? nil : links.icon,
                showsDevices: visit.isAdmin,
                endsChannels: visit.principal.may(.publish, on: app.bundleIdentifier),
            ),
            versions: try VersionsInUse(visit.attempts(of: app) { _ in true }) { release in
                try visit.store.hasRelease(release, of: app.bundleIdentifier)
                    ? links.release(release).page : nil
            },
            settings: visit.isAdmin
                ? AppSettingsForm(
                    of: wanted ?? app,
                    sentTo: links.settings,
                    version: try AppSettings(of: app).tag.plain,
                    hasPassphrase: app.passphrase != nil,
                    teams: try visit.store.teams(),
                    problem: problem.map { PageProblem($0) },
                ) : nil,
            feedback: visit.isAdmin ? try AdminFeedback.newest(of: app, for: visit) : nil,
            at: visit.now,
            admin: try visit.chrome(),
        )
    }

    /// The app's settings for a version tag, without its channels, which may change while the form is
    /// open.
    struct AppSettings: Encodable {
        private let title: String
        private let slug: Slug
        private let access: AppRecord.Access
        private let passphrase: PassphraseHash?
        private let isListed: Bool
        private let isArchived: Bool
        private let team: TeamIdentifier?
        private let signing: AppRecord.Signing
        private let approval: AppRecord.Approval
        private let freshChannels: FreshChannels
        private let renewalDays: Int
        private let minimumVersion: MinimumVersion?
        private let feedback: FeedbackWay

        init(of app: AppRecord) {
            title = app.title
            slug = app.slug
            access = app.access
            passphrase = app.passphrase
            isListed = app.isListed
            isArchived = app.isArchived
            team = app.team
            signing = app.signing
            approval = app.approval
            freshChannels = FreshChannels(app.freshChannels)
            renewalDays = app.renewalDays
            minimumVersion = app.minimumVersion
            feedback = app.feedback
        }

        var tag: DocumentTag {
            get throws { try DocumentTag(of: self) }
        }
    }

    /// Returns the devices that cannot install one of the releases, or all devices, a page at a time.
    static func matrix(
        of app: AppRecord,
        _ number: Int,
        show: MatrixPage.Show,
        for visit: AdminRequest,
    ) throws -> MatrixPage {
        let links = visit.links.pages(of: app.slug)
        let index = try visit.deviceIndex()
        let releases = try visit.store.releases(of: app.bundleIdentifier, count: columns)
        var isBlocked = index.devices.map { _ in false }
        for release in releases {
            for place in try visit.coverage(of: release).blocked { isBlocked[place] = true }
        }
        let active = index.active
        let problems = active.filter { isBlocked[$0] }
        let places = show == .problems ? problems : active
        guard number == 1 || (number - 1) * rows < places.count else { throw Refusal.notFound }
        var judges = try releases.map {
            ReportJudge(try visit.store.report(of: $0), at: visit.now)
        }
        let lines = places.dropFirst((number - 1) * rows).prefix(rows).map { place in
            let device = index.devices[place]
            return MatrixPage.Line(
                device: device,
                url: visit.url(of: device),
                verdicts: judges.indices.map { judges[$0].verdict(for: device.facts) },
            )
        }
        let url = { (show: MatrixPage.Show, page: Int) in
            let query =
                (show == .all ? [] : ["show=\(show.rawValue)"])
                + (page > 1 ? ["page=\(page)"] : [])
            return query.isEmpty ? links.matrix : links.matrix + "?" + query.joined(separator: "&")
        }
        return MatrixPage(
            app: app,
            releases: releases,
            devices: lines,
            filters: [.all: active.count, .problems: problems.count],
            show: show,
            links: links,
            turn: PageTurn(
                number: number,
                length: rows,
                total: places.count,
                url: { url(show, $0) },
            ),
            pageURL: { url($0, 1) },
            at: visit.now,
            admin: try visit.chrome(),
        )
    }

    /// Returns the release of each channel, by channel name.
    static func offers(
        of app: AppRecord,
        in store: OTAStore,
    ) throws -> [(channel: ChannelName, release: Release)] {
        try app.channels.keys.sorted().compactMap { channel in
            try store.release(on: channel, of: app).map { (channel, $0) }
        }
    }
}
