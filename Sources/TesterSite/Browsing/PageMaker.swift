import SiteServices
import Access
import Foundation
import HTTPServing
import HTTPTypes
import Identifiers
import Images
import Logging
import NIOCore
import Pages
import Releases
import Store

/// Makes pages out of what the store has now, for one visitor; reads from disk.
struct PageMaker {
    private static let historyLength = 30
    /// Seconds for which a page tells of the last try.
    private static let memory: TimeInterval = 86_400

    let site: Site
    let installs: InstallServices
    let visit: TesterRequest

    func start() throws -> CachedResponse {
        var entries: [StartPage.Entry] = []
        for app in try site.store.apps() where app.isListed {
            guard case .granted = try visit.entry(to: app), let channel = app.defaultChannel,
                let release = try site.store.unlessDamaged({
                    try site.store.release(on: channel, of: app)
                }),
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

    func app(_ slug: Slug, _ wanted: ChannelName?) throws -> CachedResponse {
        let (app, device) = try open(slug)
        guard let channel = wanted ?? app.defaultChannel else {
            return site.pages.answer(
                status: .ok,
                title: app.title,
                message: "Nothing has been published yet. Come back later.",
                route: "/apps/{slug}",
            )
        }
        guard let release = try site.store.release(on: channel, of: app) else {
            throw Refusal.notFound
        }
        let url = site.links.app(app.slug, channel: wanted)
        return try page(of: release, app, channel, at: url, for: device)
    }

    func release(_ identifier: ReleaseIdentifier, of slug: Slug) throws -> CachedResponse {
        let (app, device) = try open(slug)
        guard let release = try site.store.release(identifier, of: app.bundleIdentifier) else {
            throw Refusal.notFound
        }
        let channel = app.channels.filter { $0.value == identifier }.keys.min()
        let url = site.links.release(identifier, of: app.slug)
        return try page(of: release, app, channel, at: url, for: device)
    }

    func history(of slug: Slug, page number: Int) throws -> CachedResponse {
        let (app, _) = try open(slug)
        let total = try site.store.releaseIdentifiers(of: app.bundleIdentifier).count
        let offset = (number - 1) * Self.historyLength
        guard number == 1 || offset < total else { throw Refusal.notFound }
        let releases = try site.store.releases(
            of: app.bundleIdentifier,
            offset: offset,
            count: Self.historyLength,
        )
        let url = site.links.history(app.slug)
        let page = HistoryPage(
            app: app,
            entries: releases.map {
                .init(release: $0, url: site.links.release($0.identifier, of: app.slug))
            },
            total: total,
            navigation: .init(
                app: site.links.app(app.slug),
                newer: number > 1 ? url + (number > 2 ? "?page=\(number - 1)" : "") : nil,
                older: offset + Self.historyLength < total ? url + "?page=\(number + 1)" : nil,
            ),
            at: site.now,
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, route: "/apps/{slug}/history")
    }

    func code(of slug: Slug) throws -> CachedResponse {
        let app = try entered(slug)
        let url = site.links.app(app.slug)
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
        let app = try entered(slug)
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
        for device: Device?,
    ) throws -> CachedResponse {
        if let withdrawal = release.withdrawal { return try gone(app, withdrawal) }
        if try installs.isRotten(release, in: site.store) { return try damaged(app) }
        let component = installs.capabilities.component(
            for: release,
            device: device.map { site.sessions.reference(to: $0.udid) },
            at: site.now,
        )
        let code =
            visit.visitor.wantsCode
            ? try QRCode(encoding: url, correction: .medium).svg(label: "Install \(app.title)")
            : nil
        let newest = app.defaultChannel.flatMap { app.channels[$0] }
        let page = InstallPage(
            build: .init(
                release: release,
                report: try site.store.report(of: release),
                channel: channel,
                title: app.title,
            ),
            links: InstallPageLinks(
                page: url,
                install: site.links.install(component).installLink(),
                icon: iconURL(of: release, app),
                code: code,
                history: site.links.history(app.slug),
                latest: channel == nil && newest != nil ? site.links.app(app.slug) : nil,
                start: site.links.start,
                events: try eventsURL(of: app),
            ),
            visitor: visit.visitor,
            for: try audience(device, of: release),
            at: site.now,
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, route: "/apps/{slug}")
    }

    /// Why a build is gone, and the way to the others.
    private func gone(
        _ app: AppRecord,
        _ withdrawal: Release.Withdrawal,
    ) throws -> CachedResponse {
        let refusal = Refusal.withdrawn(reason: withdrawal.reason)
        let page = MessagePage(
            status: "\(refusal.status.code)",
            title: refusal.title,
            message: refusal.message,
            problem: refusal.id,
            action: MessagePage.Action(
                title: "All versions of \(app.title)",
                url: site.links.history(app.slug),
            ),
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, status: refusal.status, route: "/apps/{slug}")
    }

    /// Instead of a button that would lead to “Unable to Install”.
    private func damaged(_ app: AppRecord) throws -> CachedResponse {
        let page = MessagePage(
            status: "503",
            title: "This build cannot be installed at the moment",
            message: "Its file on the server is damaged; your device is fine. Your team has to "
                + "publish the build again.",
            action: MessagePage.Action(
                title: "All versions of \(app.title)",
                url: site.links.history(app.slug),
            ),
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, status: .serviceUnavailable, route: "/apps/{slug}")
    }

    private func audience(
        _ device: Device?,
        of release: Release,
    ) throws -> InstallPage.Audience {
        guard let device else {
            // What is no device of Apple's is somebody at a desk.
            return visit.visitor == .other
                ? .anyone : .unknownDevice(enrolURL: site.links.enrol)
        }
        let reference = site.sessions.reference(to: device.udid)
        let app = release.bundleIdentifier
        return .device(
            InstallPage.TesterDevice(
                device,
                seenOS: visit.seenOS,
                lastTry: lastTry(of: release, by: reference),
                fetched: installs.tracker.fetched(
                    InstallingPhone(release.identifier, of: app, device: reference)
                ),
            )
        )
    }

    /// What the journals tell of the device's last try: a comfort, without which the page goes on.
    private func lastTry(of release: Release, by reference: String) -> InstallAttempt? {
        do throws(StoreFailure) {
            return try site.store.lastInstallAttempt(
                of: release.identifier,
                of: release.bundleIdentifier,
                by: reference,
                since: site.now.addingTimeInterval(-Self.memory),
            )
        } catch {
            site.logger.error(
                "a page cannot show the last install attempt",
                metadata: ["reason": "\(error)"],
            )
            return nil
        }
    }

    /// A path, so that the page's policy allows it under whichever of its names the page is open.
    private func iconURL(of release: Release, _ app: AppRecord) -> String {
        let absolute = site.links.release(release.identifier, of: app.slug) + "/icon.png"
        let base = site.links.base
        return base.path + absolute.dropFirst(base.rawValue.count)
    }

    /// From the moment on at which the page is made, so that nothing falls between.
    private func eventsURL(of app: AppRecord) throws -> String {
        let now = try site.store.activityEnd(at: site.now)
        return "\(site.links.base.path)/events?app=\(app.slug)&after=\(now)"
    }

    // MARK: Access

    /// The app and the visitor's device, for who may come in.
    ///
    /// - Throws: ``ClosedDoor`` with the page for who may not.
    private func open(_ slug: Slug) throws -> (app: AppRecord, device: Device?) {
        guard let app = try site.store.app(slug: slug) else { throw Refusal.notFound }
        switch try visit.entry(to: app) {
        case .granted(let device): return (app, device)
        case .passphrase: throw ClosedDoor(answer: try form(of: app))
        case .enrolment(let device): throw ClosedDoor(answer: try members(app, device))
        }
    }

    private func entered(_ slug: Slug) throws -> AppRecord {
        guard let app = try site.store.app(slug: slug) else { throw Refusal.notFound }
        try visit.enter(app)
        return app
    }

    /// Where the passphrase is typed.
    func form(
        of app: AppRecord,
        problem: PageProblem? = nil,
    ) throws -> CachedResponse {
        try PassphraseDoor(site: site)
            .form(of: app, for: visit, problem: problem, icon: try smallIcon(of: app))
    }

    private func members(_ app: AppRecord, _ device: Device?) throws -> CachedResponse {
        let page = MembersPage(
            name: app.title,
            iconURL: try smallIcon(of: app),
            device: device,
            enrolURL: site.links.enrol,
            eventsURL: try eventsURL(of: app),
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, status: .forbidden, route: "/apps/{slug}")
    }

    /// The icon as data: its address is for who may come in.
    private func smallIcon(of app: AppRecord) throws -> String? {
        guard let channel = app.defaultChannel,
            let release = try site.store.unlessDamaged({
                try site.store.release(on: channel, of: app)
            })
        else { return nil }
        let bytes = try site.store.unlessDamaged {
            try site.store.bytes(of: release.icons.small, atMost: 1 << 20)
        }
        return bytes.map { "data:image/png;base64,\(Data($0).base64EncodedString())" }
    }
}

/// What somebody sees who may not come in.
struct ClosedDoor: Error {
    let answer: CachedResponse
}
