import Bundles
import Foundation
package import Identifiers
package import Inspection
package import Releases

/// One device for admins: its properties, its history, and what it can install.
package struct DevicePage: AdminPage {
    package let admin: AdminChrome
    let name: String
    let kind: String
    let state: Chip
    let atApple: Chip?
    let advice: String?
    let devicesURL: String
    let facts: [InstallPage.Fact]
    let udid: String
    let history: [Step]
    let apps: [App]
    let hasNoApps: Bool
    let turn: PageTurn?
    let installs: [Install]
    let actions: Actions
    let owners: TeamChoice?
    let furtherTeams: FurtherTeams?

    /// - Parameters:
    ///   - device: the device.
    ///   - standing: its status at Apple; nil if that is unknown.
    ///   - offers: the releases in some apps' channels, with verdicts for this device.
    ///   - turn: links to the other apps; nil if these are all.
    ///   - attempts: its install attempts, newest first.
    ///   - teams: the teams with a developer account; the page shows more of them if there are several.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(
        device: Device,
        atApple standing: AppleStanding? = nil,
        offers: [Offer],
        turn: PageTurn? = nil,
        attempts: [Fetched],
        teams: [Team] = [],
        links: Links,
        admin: AdminChrome,
    ) {
        self.admin = admin
        name = device.name
        kind = device.kind
        state = standing?.state(of: device) ?? Chip(device.state)
        atApple = standing?.chip(for: device)
        advice = standing?.advice(for: device)
        devicesURL = links.devices
        udid = device.udid.rawValue
        facts = Self.facts(of: device, teams, standing)
        history = device.history.reversed().map(Step.init)
        apps = offers.map(App.init)
        hasNoApps = offers.isEmpty && turn == nil
        self.turn = turn
        installs = attempts.map(Install.init)
        actions = Actions(for: device, links.device)
        owners = TeamChoice(for: device, among: teams)
        furtherTeams = FurtherTeams(of: device, among: teams)
    }

    package struct Links: Sendable {
        package let devices: String
        package let device: AdminDeviceLinks

        package init(devices: String, device: AdminDeviceLinks) {
            self.devices = devices
            self.device = device
        }
    }

    /// The release in a channel of an app, with a verdict for the device.
    package struct Offer: Sendable {
        package let title: String
        package let channel: ChannelName
        package let release: Release
        package let judged: DeviceVerdict
        package let url: String

        /// - Parameters:
        ///   - title: the app's title.
        ///   - channel: the channel.
        ///   - release: the release that it offers.
        ///   - judged: the verdict for the device.
        ///   - url: the path of the release's page.
        package init(
            title: String,
            channel: ChannelName,
            release: Release,
            judged: DeviceVerdict,
            url: String,
        ) {
            self.title = title
            self.channel = channel
            self.release = release
            self.judged = judged
            self.url = url
        }
    }

    /// An install attempt of the device.
    package struct Fetched: Sendable {
        package let attempt: InstallAttempt
        /// As in `Browsey 2.4.0 (318)`.
        package let release: String
        package let url: String?

        package init(attempt: InstallAttempt, release: String, url: String?) {
            self.attempt = attempt
            self.release = release
            self.url = url
        }
    }

    private static func facts(
        of device: Device,
        _ teams: [Team],
        _ standing: AppleStanding?,
    ) -> [InstallPage.Fact] {
        var facts = [
            InstallPage.Fact("Family", device.family.title),
            InstallPage.Fact("Model", device.modelName ?? "unknown"),
        ]
        if let model = device.model { facts.append(InstallPage.Fact("Product type", model)) }
        facts.append(InstallPage.Fact("OS version", device.os?.description ?? "unknown"))
        if let team = device.team ?? (teams.count > 1 ? "none" : nil) {
            let name = teams.first { $0.identifier.rawValue == team }?.name
            facts.append(InstallPage.Fact("Team", name.map { "\($0), \(team)" } ?? team))
        }
        if let standing { facts.append(InstallPage.Fact("At Apple", standing.words)) }
        facts.append(InstallPage.Fact("Added", Wording.day(device.added)))
        return facts
    }

    /// The teams other than its own in whose accounts the device is too.
    struct FurtherTeams: Sendable {
        struct Place: Sendable {
            let title: String
            let identifier: String
            let state: Chip
        }

        let places: [Place]
        /// The teams that it can join.
        let choices: [InvitationForm.Choice]
        let hasChoices: Bool

        /// Returns nil if there is nothing to show and nothing to choose.
        init?(of device: Device, among teams: [Team]) {
            let title = { (identifier: String) in
                teams.first { $0.identifier.rawValue == identifier }
                    .map { "\($0.name), \(identifier)" } ?? identifier
            }
            let places = device.places.dropFirst().filter { $0.state != .disabled }.map { place in
                let team = place.team ?? ""
                return Place(title: title(team), identifier: team, state: Chip(place.state))
            }
            let own = device.owner(among: teams)?.identifier
            let free = teams.map(\.identifier).filter { team in
                team != own && !places.contains { $0.identifier == team.rawValue }
            }
            let mayJoin = device.isApproved && teams.count > 1
            self.places = places
            choices = (mayJoin ? free : []).map { team in
                InvitationForm.Choice(
                    value: team.rawValue,
                    label: title(team.rawValue),
                    isChosen: false,
                )
            }
            hasChoices = mayJoin && !free.isEmpty
            guard !places.isEmpty || hasChoices else { return nil }
        }
    }

    /// When the device came into a state.
    struct Step: Sendable {
        let state: Chip
        let when: String
        let by: String?

        init(_ change: Device.Change) {
            // The remaining task is only shown for the current state.
            state = change.state == .approved ? Chip("Approved", tone: "") : Chip(change.state)
            when = Wording.moment(change.date)
            by = change.by
        }
    }

    struct App: Sendable {
        let title: String
        let channel: String
        let version: String
        let build: String
        let url: String
        let verdict: Chip
        let reasons: [JudgedDevice.Reason]
        let hasReasons: Bool

        init(_ offer: Offer) {
            title = offer.title
            channel = offer.channel.rawValue
            version = offer.release.version
            build = offer.release.build
            url = offer.url
            verdict =
                offer.release.withdrawal == nil
                ? Chip(offer.judged.verdict) : Chip("Withdrawn", tone: "bad")
            reasons = offer.judged.reasons.map {
                JudgedDevice.Reason(text: $0.message, fix: $0.fix)
            }
            hasReasons = !reasons.isEmpty
        }
    }

    struct Install: Sendable {
        let release: String
        let url: String?
        let outcome: Chip
        let sentence: String
        let when: String

        init(_ fetched: Fetched) {
            release = fetched.release
            url = fetched.url
            outcome = Chip(fetched.attempt.outcome)
            sentence = fetched.attempt.sentence
            when = Wording.moment(fetched.attempt.ended)
        }
    }

    /// The actions that are possible in its state.
    struct Actions: Sendable {
        let approveURL: String?
        let renameURL: String?
        let disableURL: String?
        let enableURL: String?
        let eraseURL: String
        let nameLimit = "\(DeviceRegister.nameLimit)"

        init(for device: Device, _ links: AdminDeviceLinks) {
            let isInUse = device.state != .disabled
            approveURL = device.state == .enrolled ? links.approve : nil
            renameURL = isInUse ? links.rename : nil
            disableURL = isInUse ? links.disable : nil
            enableURL = isInUse ? nil : links.enable
            eraseURL = links.erase
        }
    }
}
