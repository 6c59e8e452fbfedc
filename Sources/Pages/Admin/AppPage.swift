import Bundles
import Bytes
package import Foundation
package import Identifiers
package import Releases

/// One app for its admins: its channels, its releases, and its settings.
package struct AppPage: AdminPage {
    package let admin: AdminChrome
    let title: String
    let identifier: String
    let appsURL: String
    let iconURL: String?
    let chips: [Chip]
    let publicURL: String
    /// Nil for users who may not see single devices.
    let matrixURL: String?
    /// Nil for users who may not change retention rules.
    let rulesURL: String?
    let channels: [Channel]
    /// The text if no channel offers anything.
    let nothing: String?
    let total: String
    let releaseCount: String
    let releases: [Row]
    let turn: PageTurn?
    /// Nil if no known device has any.
    let versions: VersionsInUse?
    let settings: AppSettingsForm?
    /// Nil for users who may not see devices, and if there is none and testers cannot send any.
    let feedback: FeedbackList?

    /// - Parameters:
    ///   - app: the app.
    ///   - contents: its channels and releases.
    ///   - links: the targets of the page's links.
    ///   - versions: the versions that devices have.
    ///   - settings: nil for users who may not change them.
    ///   - feedback: the latest feedback of testers.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation.
    package init(
        app: AppRecord,
        contents: Contents,
        links: Links,
        versions: VersionsInUse? = nil,
        settings: AppSettingsForm?,
        feedback: FeedbackList? = nil,
        at date: Date,
        admin: AdminChrome,
    ) {
        self.admin = admin
        title = app.title
        identifier = app.bundleIdentifier.rawValue
        appsURL = links.apps
        iconURL = links.icon
        chips =
            [Chip(app.access)] + (app.isArchived ? [Chip("Archived")] : [])
            + (app.isListed || app.isArchived ? [] : [Chip("Hidden from the start page")])
        publicURL = links.shown
        matrixURL = links.showsDevices ? links.admin.matrix : nil
        rulesURL = links.showsDevices ? links.admin.rules : nil
        channels = contents.offers.map { Channel($0, of: app, links, at: date) }
        nothing =
            contents.offers.isEmpty ? Wording.nothingOffered(releases: contents.total) : nil
        total = Wording.count(contents.total, "release")
        releaseCount = contents.total.grouped
        releases = contents.releases.map { Row($0, app, links.admin, at: date) }
        turn = contents.turn
        self.versions = versions
        self.settings = settings
        self.feedback = feedback
    }

    /// What an app's channels offer, and one page of its releases.
    package struct Contents: Sendable {
        package let offers: [Offer]
        package let releases: [Release]
        package let total: Int
        package let turn: PageTurn?

        package init(offers: [Offer], releases: [Release], total: Int, turn: PageTurn?) {
            self.offers = offers
            self.releases = releases
            self.total = total
            self.turn = turn
        }
    }

    /// A channel's release, and how many of the register's devices can install it.
    package struct Offer: Sendable {
        package let channel: ChannelName
        package let release: Release
        package let canInstall: Int
        package let devices: Int

        package init(channel: ChannelName, release: Release, canInstall: Int, devices: Int) {
            self.channel = channel
            self.release = release
            self.canInstall = canInstall
            self.devices = devices
        }
    }

    package struct Links: Sendable {
        package let apps: String
        package let admin: AdminAppLinks
        /// The app's page for testers.
        package let shown: String
        package let icon: String?
        /// Whether the user may see single devices.
        package let showsDevices: Bool
        /// Whether the user may end channels.
        package let endsChannels: Bool

        package init(
            apps: String,
            admin: AdminAppLinks,
            shown: String,
            icon: String?,
            showsDevices: Bool = true,
            endsChannels: Bool = true,
        ) {
            self.apps = apps
            self.admin = admin
            self.shown = shown
            self.icon = icon
            self.showsDevices = showsDevices
            self.endsChannels = endsChannels
        }
    }

    struct Channel: Sendable {
        let name: String
        let version: String
        let build: String
        let url: String
        let published: String
        let states: [Chip]
        let coverage: String?
        let coverageURL: String?
        /// Nil for a permanent channel, and for users who may not end it.
        let endURL: String?
        /// Nil for users who may not change access.
        let accessURL: String?

        init(_ offer: Offer, of app: AppRecord, _ links: Links, at date: Date) {
            let release = offer.release
            name = offer.channel.rawValue
            version = release.version
            build = release.build
            let pages = links.admin.release(release.identifier)
            url = pages.page
            published = "Published \(Wording.distance(to: release.published, from: date))"
            let end = app.end(of: offer.channel)
            states =
                (app.channelGroups?[offer.channel].map { [Chip(.groups($0))] } ?? [])
                + Chip.state(of: release, at: date) + (end.map { [Chip(end: $0, at: date)] } ?? [])
            accessURL = links.showsDevices ? links.admin.access(to: offer.channel) : nil
            endURL =
                end != nil && links.endsChannels ? links.admin.end(of: offer.channel) : nil
            coverage =
                offer.devices == 0 || release.withdrawal != nil
                ? nil : JudgedDevice.sentence(offer.canInstall, of: offer.devices)
            coverageURL = links.showsDevices ? pages.devices : nil
        }
    }

    struct Row: Sendable {
        let version: String
        let build: String
        let url: String
        let chips: [Chip]
        let detail: String
        let isWithdrawn: Bool

        init(_ release: Release, _ app: AppRecord, _ links: AdminAppLinks, at date: Date) {
            version = release.version
            build = release.build
            url = links.release(release.identifier).page
            isWithdrawn = release.withdrawal != nil
            chips =
                Chip.channels(of: app, offering: release.identifier)
                + Chip.state(of: release, at: date) + Chip.pin(of: release)
            detail =
                "\(Wording.day(release.published)) by \(release.publisher), "
                + Wording.size(release.size)
        }
    }
}
