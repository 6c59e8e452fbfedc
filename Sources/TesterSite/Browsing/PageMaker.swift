import Access
import Foundation
import HTTPServing
import HTTPTypes
import Identifiers
import Images
import NIOCore
import Pages
import Releases
import SiteServices
import Store

/// Renders pages for one visitor from the store's current state; reads from disk.
struct PageMaker {
    private static let historyLength = 10

    let site: Site
    let installs: InstallServices
    let visit: TesterRequest
    let progress: ProgressReader

    /// Returns the list of apps, or of those that match a search text; an empty text matches all.
    func start(matching text: String) throws -> CachedResponse {
        var entries: [StartPage.Entry] = []
        for app in try site.store.apps() where app.isOnStartPage {
            guard case .granted(let visitor) = try visit.entry(to: app),
                let channel = app.defaultChannel(for: visitor),
                let offered = try site.store.unlessDamaged({
                    try site.store.release(on: channel, of: app)
                })
            else { continue }
            // For a withdrawn build, the one before it, if that can still be installed.
            let previous =
                offered.withdrawal == nil
                ? nil : try previous(to: offered, of: app, for: visitor)
            guard let release = offered.withdrawal == nil ? offered : previous else { continue }
            entries.append(
                StartPage.Entry(
                    title: app.title,
                    release: release,
                    url: previous.map { site.links.release($0.identifier, of: app.slug) }
                        ?? site.links.app(app.slug),
                    iconURL: self.iconURL(of: release, app),
                )
            )
        }
        let groups = try visit.deviceIfKnown()?.groups ?? []
        let page = StartPage(
            apps: entries,
            matching: text,
            searchURL: site.links.base.path + "/",
            groupsURL: groups.isEmpty ? nil : site.links.ownGroups,
            tester: try visit.testerRight().map {
                ($0.name, site.links.base.path + PeopleLinks.testerEnd)
            },
            at: site.now,
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, route: "/")
    }

    func app(_ slug: Slug, _ wanted: ChannelName?) throws -> CachedResponse {
        let (app, visitor) = try open(slug)
        if let wanted, !app.admits(visitor, to: wanted) { throw try nothing() }
        guard let channel = wanted ?? app.defaultChannel(for: visitor) else {
            let isOffered = app.channels.keys.contains { app.admits(visitor, to: $0) }
            return site.pages.answer(
                status: .ok,
                title: app.title,
                message: !isOffered
                    ? visit.words.text("app.unpublished") : visit.words.text("app.review"),
                chrome: visit.chrome,
                route: "/apps/{slug}",
            )
        }
        if app.ended(channel) != nil || app.isOver(channel, at: site.now) {
            return try ended(channel, of: app)
        }
        guard let release = try site.store.release(on: channel, of: app) else {
            throw try nothing()
        }
        let url = site.links.app(app.slug, channel: wanted)
        return try page(of: release, app, channel, at: url, for: visitor)
    }

    func release(_ identifier: ReleaseIdentifier, of slug: Slug) throws -> CachedResponse {
        let (app, visitor) = try open(slug)
        guard let release = try site.store.release(identifier, of: app.bundleIdentifier),
            app.admits(visitor, to: release)
        else { throw try nothing() }
        let channel = app.channels.filter {
            $0.value == identifier && app.admits(visitor, to: $0.key)
        }.keys.min()
        if let channel, app.isOver(identifier, at: site.now) {
            return try ended(channel, of: app)
        }
        let url = site.links.release(identifier, of: app.slug)
        return try page(of: release, app, channel, at: url, for: visitor)
    }

    func history(of slug: Slug, page number: Int) throws -> CachedResponse {
        let (app, visitor) = try open(slug)
        let offset = (number - 1) * Self.historyLength
        let (releases, all) = try releases(of: app, from: offset, for: visitor)
        let total = all.count
        guard number == 1 || offset < total else { throw Refusal.notFound }
        let url = site.links.history(app.slug)
        // Channels that are not open to the visitor are not named either.
        var shown = app
        shown.channels = app.channels.filter { app.admits(visitor, to: $0.key) }
        let page = HistoryPage(
            app: shown,
            entries: releases.map {
                .init(release: $0, url: site.links.release($0.identifier, of: app.slug))
            },
            total: total,
            own: try visitor.device.flatMap { try own(of: app, among: all, on: $0) },
            navigation: .init(
                app: site.links.app(app.slug),
                newer: number > 1 ? url + (number > 2 ? "?page=\(number - 1)" : "") : nil,
                older: offset + Self.historyLength < total ? url + "?page=\(number + 1)" : nil,
            ),
            at: site.now,
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, route: "/apps/{slug}/history")
    }

    /// Returns a page of the releases that a visitor may see, newest first, and the identifiers of all of
    /// them.
    private func releases(
        of app: AppRecord,
        from offset: Int,
        for visitor: ProvenVisitor,
    ) throws -> (releases: [Release], all: [ReleaseIdentifier]) {
        let name = app.bundleIdentifier
        let all = try site.store.releaseIdentifiers(of: name)
        if app.admitsToAll(visitor) {
            let length = Self.historyLength
            return (try site.store.releases(of: name, offset: offset, count: length), all)
        }
        let open = try site.store.releases(of: name, offset: 0, count: all.count)
            .filter { app.admits(visitor, to: $0) }
        return (
            Array(open.dropFirst(offset).prefix(Self.historyLength)), open.map(\.identifier),
        )
    }

    /// Seconds for which the history shows which version a device has.
    private static let ownMemory: TimeInterval = 180 * 86_400

    /// Returns the last release that a device downloaded completely; nil if it is not among those given.
    private func own(
        of app: AppRecord,
        among all: [ReleaseIdentifier],
        on device: Device,
    ) throws -> HistoryPage.Own? {
        let reference = site.sessions.reference(to: device.udid)
        // The page is complete without it.
        let attempts = try site.store.unlessDamaged {
            try site.store.installAttempts(
                of: app.bundleIdentifier,
                since: site.now.addingTimeInterval(-Self.ownMemory),
            )
        }
        let last = attempts?.last { $0.device == reference && $0.outcome == .downloaded }
        return last.flatMap { last in
            all.firstIndex(of: last.release).map { HistoryPage.Own(last.release, newer: $0) }
        }
    }

    func code(of slug: Slug, _ channel: ChannelName?) throws -> CachedResponse {
        let (app, visitor) = try entered(slug)
        if let channel {
            guard app.channels[channel] != nil, !app.isOver(channel, at: site.now),
                app.admits(visitor, to: channel)
            else { throw Refusal.notFound }
        }
        return try code(of: site.links.app(app.slug, channel: channel), app)
    }

    func code(of slug: Slug, _ identifier: ReleaseIdentifier) throws -> CachedResponse {
        let (app, visitor) = try entered(slug)
        guard let release = try site.store.release(identifier, of: app.bundleIdentifier),
            app.admits(visitor, to: release)
        else { throw Refusal.notFound }
        return try code(of: site.links.release(identifier, of: app.slug), app)
    }

    private func code(of url: String, _ app: AppRecord) throws -> CachedResponse {
        let svg = try QRCode(encoding: url, correction: .medium)
            .svg(label: "Install \(app.title)")
        return CachedResponse(
            route: "/apps/{slug}/qr.svg",
            status: .ok,
            fields: ResponseFields.of(type: "image/svg+xml", cache: "private, no-cache"),
            body: ByteBuffer(string: svg),
        )
    }

    func icon(of slug: Slug, _ wanted: ReleaseIdentifier?) throws -> CachedResponse {
        let (app, visitor) = try entered(slug)
        let offered = app.defaultChannel(for: visitor).flatMap { app.channels[$0] }
        guard let identifier = wanted ?? offered,
            let release = try site.store.release(identifier, of: app.bundleIdentifier),
            app.admits(visitor, to: release)
        else { throw Refusal.notFound }
        let digest = release.icons.large
        let bytes = try site.store.bytes(of: digest, atMost: 4 << 20)
        return IconAnswer.make(bytes, digest, route: "/apps/{slug}/icon.png")
    }

    /// Returns the icon's path without the host, so that the page's policy allows it under any host name.
    func iconURL(of release: Release, _ app: AppRecord) -> String {
        let absolute = site.links.release(release.identifier, of: app.slug) + "/icon.png"
        let base = site.links.base
        return base.path + absolute.dropFirst(base.rawValue.count)
    }

    /// Returns the path of the event stream, which starts at the time when the page is rendered, so that
    /// no event is missed.
    func eventsURL(of app: AppRecord, for device: Device?) throws -> String {
        let now = try site.store.activityEnd(at: site.now)
        let work = try device.map { "&work=\(try progress.mark(of: $0))" } ?? ""
        return "\(site.links.base.path)/events?app=\(app.slug)&after=\(now)\(work)"
    }
}
