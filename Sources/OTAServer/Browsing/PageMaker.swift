import Foundation
import HTTPTypes
import Images
import NIOCore
import Pages
import Releases
import Store

/// Makes pages out of what the store has now; reads from disk.
struct PageMaker {
    private static let historyLength = 30

    let site: Site

    func start() throws -> StoredAnswer {
        var entries: [StartPage.Entry] = []
        for app in try site.store.apps() where app.isListed && app.access == .open {
            guard let channel = app.defaultChannel,
                let release = try site.store.release(on: channel, of: app),
                release.withdrawal == nil
            else { continue }
            entries.append(
                StartPage.Entry(
                    title: app.title,
                    release: release,
                    url: site.links.app(app.slug),
                    iconURL: iconURL(of: release, app),
                )
            )
        }
        let page = StartPage(apps: entries, at: site.now, chrome: site.pages.chrome)
        return try site.pages.answer(page, route: "/")
    }

    func app(
        _ slug: Slug,
        _ wanted: ChannelName?,
        for visitor: Visitor,
    ) throws -> StoredAnswer {
        let app = try openApp(slug)
        guard let channel = wanted ?? app.defaultChannel else {
            return site.pages.answer(
                status: .ok,
                title: app.title,
                message: "Nothing is published yet. Come back later.",
                route: "/apps/{slug}",
            )
        }
        guard let release = try site.store.release(on: channel, of: app) else {
            throw Refusal.notFound
        }
        let url = site.links.app(slug, channel: wanted)
        return try page(of: release, app, channel, at: url, for: visitor)
    }

    func release(
        _ identifier: ReleaseIdentifier,
        of slug: Slug,
        for visitor: Visitor,
    ) throws -> StoredAnswer {
        let app = try openApp(slug)
        guard let release = try site.store.release(identifier, of: app.bundleIdentifier) else {
            throw Refusal.notFound
        }
        let channel = app.channels.filter { $0.value == identifier }.keys.min()
        let url = site.links.release(identifier, of: slug)
        return try page(of: release, app, channel, at: url, for: visitor)
    }

    func history(of slug: Slug, page number: Int) throws -> StoredAnswer {
        let app = try openApp(slug)
        let total = try site.store.releaseIdentifiers(of: app.bundleIdentifier).count
        let offset = (number - 1) * Self.historyLength
        guard number == 1 || offset < total else { throw Refusal.notFound }
        let releases = try site.store.releases(
            of: app.bundleIdentifier,
            offset: offset,
            count: Self.historyLength,
        )
        let url = site.links.history(slug)
        let page = HistoryPage(
            app: app,
            entries: releases.map {
                .init(release: $0, url: site.links.release($0.identifier, of: slug))
            },
            total: total,
            navigation: .init(
                app: site.links.app(slug),
                newer: number > 1 ? url + (number > 2 ? "?page=\(number - 1)" : "") : nil,
                older: offset + Self.historyLength < total ? url + "?page=\(number + 1)" : nil,
            ),
            at: site.now,
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, route: "/apps/{slug}/history")
    }

    func code(of slug: Slug) throws -> StoredAnswer {
        let app = try openApp(slug)
        let url = site.links.app(slug)
        let svg = try QRCode(encoding: url, correction: .medium)
            .svg(label: "Install \(app.title)")
        return StoredAnswer(
            route: "/apps/{slug}/qr.svg",
            status: .ok,
            fields: ResponseFields.of(type: "image/svg+xml", cache: "private, no-cache"),
            body: ByteBuffer(string: svg),
        )
    }

    func icon(of slug: Slug, _ wanted: ReleaseIdentifier?) throws -> StoredAnswer {
        let app = try openApp(slug)
        guard let identifier = wanted ?? app.defaultChannel.flatMap({ app.channels[$0] }),
            let release = try site.store.release(identifier, of: app.bundleIdentifier)
        else { throw Refusal.notFound }
        let digest = release.icons.large
        let bytes = try site.store.bytes(of: digest, atMost: 4 << 20)
        return IconAnswer.make(bytes, digest, route: "/apps/{slug}/icon.png")
    }

    private func page(
        of release: Release,
        _ app: AppRecord,
        _ channel: ChannelName?,
        at url: String,
        for visitor: Visitor,
    ) throws -> StoredAnswer {
        if let withdrawal = release.withdrawal {
            throw Refusal.withdrawn(reason: withdrawal.reason)
        }
        let component = site.capabilities.component(for: release, at: site.now)
        let code =
            visitor.wantsCode
            ? try QRCode(encoding: url, correction: .medium).svg(label: "Install \(app.title)")
            : nil
        let newest = app.defaultChannel.flatMap { app.channels[$0] }
        let page = InstallPage(
            build: .init(
                release: release,
                report: try site.store.report(of: release),
                channel: channel,
            ),
            links: InstallPageLinks(
                page: url,
                install: site.links.install(component).installLink(),
                icon: iconURL(of: release, app),
                code: code,
                history: site.links.history(app.slug),
                latest: channel == nil && newest != nil ? site.links.app(app.slug) : nil,
                start: site.links.start,
            ),
            visitor: visitor,
            at: site.now,
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, route: "/apps/{slug}")
    }

    /// A path, so that the page's policy allows it under whichever of its names the page is open.
    private func iconURL(of release: Release, _ app: AppRecord) -> String {
        let absolute = site.links.release(release.identifier, of: app.slug) + "/icon.png"
        let base = site.links.base
        return base.path + absolute.dropFirst(base.rawValue.count)
    }

    private func openApp(_ slug: Slug) throws -> AppRecord {
        guard let app = try site.store.app(slug: slug) else { throw Refusal.notFound }
        guard app.access == .open else { throw Refusal.notOpen }
        return app
    }
}
