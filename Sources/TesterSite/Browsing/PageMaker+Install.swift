import Access
import Foundation
import HTTPServing
import HTTPTypes
import Identifiers
import Images
import Logging
import Pages
import Releases
import SiteServices
import Store

/// The page of a build with its Install button, and the pages shown in its place.
extension PageMaker {
    /// Seconds for which a page shows the last install attempt.
    private static let memory: TimeInterval = 86_400

    func page(
        of release: Release,
        _ app: AppRecord,
        _ channel: ChannelName?,
        at url: String,
        for visitor: ProvenVisitor,
    ) throws -> CachedResponse {
        let device = visitor.device
        if let withdrawal = release.withdrawal {
            return try gone(release, of: app, withdrawal, for: visitor)
        }
        if try installs.isRotten(release, in: site.store) { return try damaged(app) }
        let component = installs.capabilities.component(
            for: release,
            device: device.map { site.sessions.reference(to: $0.udid) },
            session: app.needsSignIn(visitor, to: release) ? visit.testerSession : nil,
            at: site.now,
        )
        let code =
            visit.visitor.wantsCode
            ? try QRCode(encoding: url, correction: .medium).svg(
                label: visit.words.text("action.install", ["app": app.title])
            )
            : nil
        let newest = app.defaultChannel(for: visitor)
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
                events: try eventsURL(of: app, for: device),
                feedback: feedbackURL(of: release, app),
                channels: try channels(of: app, showing: channel, for: visitor),
            ),
            visitor: visit.visitor,
            for: try audience(device, of: release, app, channel),
            at: site.now,
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, route: "/apps/{slug}")
    }

    /// The most channels that a tester can choose from.
    private static let mostChannels = 6

    /// Returns the permanent channels that are open to the visitor, the default one first.
    private func channels(
        of app: AppRecord,
        showing shown: ChannelName?,
        for visitor: ProvenVisitor,
    ) throws -> [InstallChannel] {
        let usual = app.defaultChannel(for: visitor)
        let open = app.channels(openTo: visitor).filter { app.lasts($0) && $0 != usual }
        return try ((usual.map { [$0] } ?? []) + open).prefix(Self.mostChannels)
            .compactMap { channel in
                // A damaged release must not make the page fail.
                guard
                    let release = try site.store.unlessDamaged({
                        try site.store.release(on: channel, of: app)
                    }),
                    release.withdrawal == nil || channel == shown
                else { return nil }
                return InstallChannel(
                    channel,
                    offering: release,
                    at: site.links.app(app.slug, channel: channel == usual ? nil : channel),
                    isCurrent: channel == shown,
                )
            }
    }

    /// Returns the URL of the feedback form; nil if the app takes no feedback.
    private func feedbackURL(of release: Release, _ app: AppRecord) -> String? {
        switch app.feedback {
        case .off: nil
        case .form: site.links.feedback(about: release.identifier, of: app.slug)
        case .link(let url): url
        }
    }

    /// Returns a page that says why a build was withdrawn, with a link to the one before it, or to the
    /// history.
    private func gone(
        _ release: Release,
        of app: AppRecord,
        _ withdrawal: Release.Withdrawal,
        for visitor: ProvenVisitor,
    ) throws -> CachedResponse {
        let previous = try previous(to: release, of: app, for: visitor)
        let refusal = Refusal.withdrawn(reason: withdrawal.reason)
        let (title, message) = refusal.page(in: visit.words)
        let page = MessagePage(
            status: "\(refusal.status.code)",
            title: title,
            message: message,
            problem: refusal.id,
            action: previous.map {
                MessagePage.Action(
                    title: visit.words.text("action.version", ["version": $0.version]),
                    url: site.links.release($0.identifier, of: app.slug),
                )
            }
                ?? MessagePage.Action(
                    title: visit.words.text("action.history", ["app": app.title]),
                    url: site.links.history(app.slug),
                ),
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, status: refusal.status, route: "/apps/{slug}")
    }

    /// How many older releases are searched for a replacement of a withdrawn one.
    private static let lookBack = 50

    /// Returns the newest older release of the same channel that the visitor may still install.
    func previous(
        to release: Release,
        of app: AppRecord,
        for visitor: ProvenVisitor,
    ) throws -> Release? {
        let name = app.bundleIdentifier
        let all = try site.store.releaseIdentifiers(of: name)
        guard let place = all.firstIndex(of: release.identifier) else { return nil }
        return try site.store.releases(of: name, offset: place + 1, count: Self.lookBack).first {
            $0.channel == release.channel && $0.withdrawal == nil && app.admits(visitor, to: $0)
                && $0.installsUntil.map { $0 > site.now } != false
        }
    }

    /// Returns the page of an ended channel, with a link to the app.
    func ended(_ channel: ChannelName, of app: AppRecord) throws -> CachedResponse {
        let date = app.ended(channel)?.date ?? app.end(of: channel) ?? site.now
        let refusal = ReleaseRefusal.endedChannel(channel, date)
        let status = refusal.kind.status
        let isOffering = app.defaultChannel != nil
        let page = MessagePage(
            status: "\(status.code)",
            title: visit.words.text("ended.title"),
            message: visit.words.text(
                "ended.message",
                ["channel": channel.rawValue, "date": visit.words.moment(date)],
            ),
            problem: refusal.id,
            action: MessagePage.Action(
                title: visit.words.text(
                    isOffering ? "action.app" : "action.history",
                    ["app": app.title],
                ),
                url: isOffering ? site.links.app(app.slug) : site.links.history(app.slug),
            ),
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, status: status, route: "/apps/{slug}")
    }

    /// Returns the page in place of a button that would lead to “Unable to Install”.
    private func damaged(_ app: AppRecord) throws -> CachedResponse {
        let page = MessagePage(
            status: "503",
            title: visit.words.text("damaged.title"),
            message: visit.words.text("damaged.message"),
            action: MessagePage.Action(
                title: visit.words.text("action.history", ["app": app.title]),
                url: site.links.history(app.slug),
            ),
            chrome: visit.chrome,
        )
        return try site.pages.answer(page, status: .serviceUnavailable, route: "/apps/{slug}")
    }

    private func audience(
        _ device: Device?,
        of release: Release,
        _ app: AppRecord,
        _ channel: ChannelName?,
    ) throws -> InstallPage.Audience {
        guard let device else {
            // A client that is not an Apple device counts as a computer.
            return visit.visitor == .other
                ? .anyone : .unknownDevice(enrolURL: site.links.enrol)
        }
        let reference = site.sessions.reference(to: device.udid)
        let way = try progress.progress(of: device, to: release, of: app, on: channel)
        return .device(
            InstallPage.TesterDevice(
                device,
                seenOS: visit.seenOS,
                lastTry: lastTry(of: release, by: reference),
                fetched: installs.tracker.fetched(
                    InstallingPhone(
                        release.identifier,
                        of: release.bundleIdentifier,
                        device: reference,
                    )
                ),
                steps: way.steps(in: visit.words),
            )
        )
    }

    /// Returns the device's last attempt, from the journals; nil, after logging, if they cannot be read.
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
}
