package import APIDocuments
import Access
import Foundation
import Identifiers
import Inspection
import Publishing
import Releases
import Store

extension Actions {
    static let channels: [any PerformedAction.Type] = [
        ListChannels.self, EndChannel.self, ChangeChannelAccess.self, ShowLink.self,
    ]
}

extension ListChannels: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ChannelsDocument {
        let app = try administration.admin.app(named: app)
        let now = administration.admin.clock()
        let links = try administration.baseURL().map { Links(base: $0) }
        let standard = app.defaultChannel
        // A channel whose end has passed counts as ended, even if no server has ended it yet.
        let over = app.channels.keys.filter { app.isOver($0, at: now) }.compactMap { channel in
            app.end(of: channel).map {
                (channel, EndedChannel(date: $0, actor: ChannelCloser.server))
            }
        }
        let past = (app.endedChannels ?? [:]).filter { app.channels[$0.key] == nil } + over
        return ChannelsDocument(
            app: app.bundleIdentifier.rawValue,
            channels: app.offers(at: now).map { channel, release in
                ChannelsDocument.Entry(
                    channel: channel.rawValue,
                    release: release.rawValue,
                    ends: app.end(of: channel),
                    isDefault: channel == standard,
                    url: links?.app(app.slug, channel: channel == standard ? nil : channel),
                )
            },
            ended: past.sorted { $0.0 < $1.0 }.map { channel, ended in
                ChannelsDocument.Ended(
                    channel: channel.rawValue,
                    date: ended.date,
                    by: ended.actor,
                )
            },
        )
    }
}

extension EndChannel: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> EndedChannelDocument {
        let admin = administration.admin
        let app = try admin.app(named: app)
        guard let channel = ChannelName(channel) else {
            throw AdministrationRefusal.unknownChannel(channel, of: app.slug)
        }
        let ending = try ChannelCloser(
            of: app.bundleIdentifier,
            in: admin.store,
            by: admin.name,
            at: admin.clock(),
        ).end(channel)
        return EndedChannelDocument(
            app: app.bundleIdentifier.rawValue,
            channel: channel.rawValue,
            ended: ending.date,
            changed: ending.isNew,
            withdrawn: ending.withdrawn.map(\.rawValue),
        )
    }
}

extension ChangeChannelAccess: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> AppDocument {
        let admin = administration.admin
        let app = try admin.app(named: app)
        guard let channel = ChannelName(channel) else {
            throw AdministrationRefusal.unknownChannel(channel, of: app.slug)
        }
        let changed = try admin.open(channel, of: app, to: content.access)
        return AppDocument(app: AppDescription(changed))
    }
}

extension ShowLink: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> LinkDocument {
        guard release == nil || channel == nil else {
            throw BadParameter("channel", fix: "name a release or a channel")
        }
        let admin = administration.admin
        let app = try admin.app(named: app)
        guard let base = try administration.baseURL() else { throw AdministrationRefusal.noBaseURL }
        let links = Links(base: base)
        let now = admin.clock()
        let named = try release.map { try admin.release(named: $0, of: app) }
        let offer = try named == nil ? admin.offer(of: channel, app) : nil
        guard let shown = named ?? offer?.release else {
            throw AdministrationRefusal.nothingOffered(app: app.slug.rawValue)
        }
        guard shown.withdrawal == nil else { throw ReleaseRefusal.withdrawn(shown.identifier) }
        let card = try ShowRelease(shown.identifier.rawValue, of: app.bundleIdentifier.rawValue)
            .perform(in: administration)
        // Without `?channel=`, the page shows the default channel.
        let query = offer.flatMap { $0.channel == app.defaultChannel ? nil : $0.channel }
        let identifier = shown.identifier
        return LinkDocument(
            card,
            title: app.title,
            channel: offer?.channel.rawValue,
            url: offer == nil
                ? links.release(identifier, of: app.slug) : links.app(app.slug, channel: query),
            qrURL: offer == nil
                ? links.code(identifier, of: app.slug) : links.code(app.slug, channel: query),
            isOpen: offer.map { app.access(to: $0.channel) == .open }
                ?? app.admits(ProvenVisitor(), to: shown),
            ends: offer.map { app.end(of: $0.channel) } ?? app.end(of: identifier),
            warnings: try card.warnings(at: now) + admin.lacking(in: shown, at: now),
        )
    }
}

extension Administrator {
    /// The release that a channel offers; by default, the channel that the app's page shows.
    fileprivate func offer(
        of name: String?,
        _ app: AppRecord,
    ) throws -> (channel: ChannelName, release: Release)? {
        guard
            let channel = try name.map({ try self.channel(named: $0, of: app) })
                ?? app.defaultChannel
        else { return nil }
        return try store.release(on: channel, of: app).map { (channel, $0) }
    }

    /// Why individual devices cannot install a release, as sentences that name no device.
    fileprivate func lacking(in release: Release, at date: Date) throws -> [String] {
        let report = try store.report(of: release)
        let general = report.verdict(at: date).findings
        return RegisterVerdicts(of: report, for: try store.devices(), at: date)
            .reasons(beside: general)
            .map { reason, devices in
                let who = Wording.count(devices, "known device")
                return "\(who) cannot install it (\(reason.title))."
            }
    }

    /// Returns an existing channel that has not ended.
    private func channel(named name: String, of app: AppRecord) throws -> ChannelName {
        guard let channel = ChannelName(name) else {
            throw AdministrationRefusal.unknownChannel(name, of: app.slug)
        }
        if let end = app.end(of: channel), app.isOver(channel, at: clock()) {
            throw ReleaseRefusal.endedChannel(channel, end)
        }
        if let ended = app.ended(channel) {
            throw ReleaseRefusal.endedChannel(channel, ended.date)
        }
        guard app.channels[channel] != nil else {
            throw AdministrationRefusal.unknownChannel(name, of: app.slug)
        }
        return channel
    }
}
