import Bytes
package import Foundation
import Identifiers
package import Releases

/// The register of devices: who waits, how many slots are left, and everyone.
package struct DevicesPage: AdminPage {
    package let admin: AdminChrome
    let waiting: [Row]
    let hasWaiting: Bool
    let hasSeveralWaiting: Bool
    /// Where all devices that wait are, if not all of them are shown.
    let allWaiting: MessagePage.Action?
    let approveURL: String
    let slots: [Slots]
    /// Devices that the developer account has otherwise than the register.
    let differing: [Row]
    let hasDiffering: Bool
    /// How many devices the developer accounts have and the register does not; nil for none.
    let onlyThere: String?
    let hasAccounts: Bool
    let filters: [Filter]
    let sift: DeviceSift
    let columns: [DeviceColumn]
    let showsTeams: Bool
    let showsGroups: Bool
    let devices: [Row]
    let isEmpty: Bool
    let emptiness: String
    let found: String
    let bulk: DeviceBulk?
    let turn: PageTurn?
    let links: Ways

    /// - Parameters:
    ///   - devices: those that wait, and those that are listed.
    ///   - slots: how much of the team's budget is used.
    ///   - query: what is asked for.
    ///   - links: the addresses.
    ///   - date: now.
    ///   - admin: what surrounds the page.
    package init(
        devices: Contents,
        slots: [DeviceSlots],
        query: DeviceQuery,
        links: AdminLinks,
        at date: Date,
        admin: AdminChrome,
    ) {
        self.admin = admin
        waiting = devices.waiting.map(Row.init)
        hasWaiting = !waiting.isEmpty
        hasSeveralWaiting = devices.waitingTotal > 1
        allWaiting =
            devices.waitingTotal > devices.waiting.count
            ? MessagePage.Action(
                title: "Show all \(devices.waitingTotal.grouped)",
                url: links.devices(DeviceQuery(show: .enrolled)) + "#register",
            ) : nil
        approveURL = links.approveDevices
        self.slots = slots.map { Slots($0, counts: devices.counted, at: date) }
        differing = devices.differing.map(Row.init)
        hasDiffering = !differing.isEmpty || devices.onlyThere > 0
        onlyThere =
            devices.onlyThere == 0
            ? nil
            : Wording.count(devices.onlyThere, "device")
                + " in the developer account "
                + (devices.onlyThere == 1 ? "is" : "are") + " not in this register."
        hasAccounts = !devices.counted.isEmpty
        filters = DeviceQuery.Show.allCases.map {
            Filter($0, query, count: devices.counts[$0] ?? 0, links)
        }
        sift = DeviceSift(query, devices.choices, links)
        showsTeams = !devices.choices.teams.isEmpty
        showsGroups = !devices.choices.groups.isEmpty
        columns = DeviceQuery.Column.allCases
            .filter { $0 != .team || !devices.choices.teams.isEmpty }
            .map { DeviceColumn($0, query, links) }
        self.devices = devices.listed.map(Row.init)
        isEmpty = devices.listed.isEmpty
        found = Wording.count(devices.total, "device")
        emptiness = query.emptiness
        bulk =
            devices.listed.isEmpty
            ? nil : DeviceBulk(query, page: devices.page, devices.choices, links)
        turn = devices.turn
        self.links = Ways(links)
    }

    /// What the page lists.
    package struct Contents: Sendable {
        /// The first of those that wait for approval.
        package let waiting: [Entry]
        package let listed: [Entry]
        /// How many there are of those that are listed, on all pages.
        package let total: Int
        package let counts: [DeviceQuery.Show: Int]
        package let turn: PageTurn?
        /// How many wait for approval.
        package var waitingTotal: Int
        /// The number of the page.
        package var page = 1
        /// What devices can be filtered by, and added to.
        package var choices = DeviceChoices()
        /// Those that the developer account has otherwise; the first few.
        package var differing: [Entry] = []
        /// How many devices only the developer accounts have.
        package var onlyThere = 0
        /// What Apple counts of the slots.
        package var counted: [AppleCount] = []

        package init(
            waiting: [Entry],
            listed: [Entry],
            total: Int,
            counts: [DeviceQuery.Show: Int],
            turn: PageTurn?,
        ) {
            self.waiting = waiting
            waitingTotal = waiting.count
            self.listed = listed
            self.total = total
            self.counts = counts
            self.turn = turn
        }
    }

    package struct Entry: Sendable {
        package let device: Device
        /// What stands for it in addresses.
        package let reference: String
        package let url: String
        /// How it stands at Apple; nil where that is not known.
        package let atApple: AppleStanding?

        package init(
            device: Device,
            reference: String,
            url: String,
            atApple: AppleStanding? = nil,
        ) {
            self.device = device
            self.reference = reference
            self.url = url
            self.atApple = atApple
        }

        /// Whether the developer account has it otherwise than the register.
        package var differs: Bool { atApple?.differs(from: device) == true }
    }

    struct Row: Sendable {
        let name: String
        let kind: String
        let url: String
        let reference: String
        let state: Chip
        let atApple: Chip?
        let advice: String?
        let model: String
        let system: String?
        let team: String?
        let groups: String?
        let since: String

        init(_ entry: Entry) {
            let device = entry.device
            name = device.name
            kind = device.kind
            url = entry.url
            reference = entry.reference
            state = entry.atApple?.state(of: device) ?? Chip(device.state)
            atApple = entry.atApple?.chip(for: device)
            advice = entry.atApple?.advice(for: device)
            model = device.modelTitle
            system = device.system
            let teams = (device.team.map { [$0] } ?? []) + device.furtherTeams
            team = teams.isEmpty ? nil : teams.joined(separator: ", ")
            let groups = device.groups.map(\.rawValue).sorted()
            self.groups = groups.isEmpty ? nil : groups.joined(separator: ", ")
            since = Wording.day(device.stateSince)
        }
    }

    /// One family's slots in a team.
    struct Slots: Sendable {
        let name: String
        let sentence: String
        let resets: String?
        let counted: String?
        let bar: ShareBar

        init(_ slots: DeviceSlots, counts: [AppleCount], at date: Date) {
            counted = counts.sentence(beside: slots)
            name = slots.family.title + (slots.team.map { ", team \($0)" } ?? "")
            sentence = "\(slots.used) of \(slots.limit) used"
            resets = slots.resets.map { "resets \(Wording.distance(to: $0, from: date))" }
            let isShort = slots.limit - slots.used <= 10
            bar = ShareBar(
                slots.used,
                of: slots.limit,
                label: "\(name): \(sentence)",
                tone: slots.used >= slots.limit ? "bad" : isShort ? "warn" : "accent",
            )
        }
    }

    struct Filter: Sendable {
        let title: String
        let number: String
        let url: String
        let isCurrent: Bool

        init(_ show: DeviceQuery.Show, _ query: DeviceQuery, count: Int, _ links: AdminLinks) {
            var other = query
            other.show = show
            title = show.title
            number = count.grouped
            url = links.devices(other) + "#register"
            isCurrent = show == query.show
        }
    }

    /// Where else one goes from here.
    struct Ways: Sendable {
        let invite: String
        let add: String
        let bring: String
        let groups: String
        let export: String
        let exportAll: String
        let table: String

        init(_ links: AdminLinks) {
            invite = links.invitations
            add = links.addDevice
            bring = links.importDevices
            groups = links.groups
            export = links.exportDevices
            exportAll = links.exportAllDevices
            table = links.exportedDevices
        }
    }
}
