import Bytes
package import Foundation
import Identifiers
package import Releases

/// The register of devices: waiting ones, slots, and the list.
package struct DevicesPage: AdminPage {
    package let admin: AdminChrome
    let waiting: [Row]
    let hasWaiting: Bool
    let hasSeveralWaiting: Bool
    /// A link to all waiting devices, if not all of them are shown.
    let allWaiting: MessagePage.Action?
    let approveURL: String
    let slots: [Slots]
    /// Devices whose status in the developer account differs from the register.
    let differing: [Row]
    let hasDiffering: Bool
    /// How many devices are only in the developer accounts; nil for none.
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
    ///   - devices: the waiting devices, and the listed ones.
    ///   - slots: the used slots of each family and team.
    ///   - query: the current query.
    ///   - links: builds paths of admin pages.
    ///   - date: the current time.
    ///   - admin: the page's header and navigation.
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

    /// The lists of the page.
    package struct Contents: Sendable {
        /// The first devices that wait for approval.
        package let waiting: [Entry]
        package let listed: [Entry]
        /// The number of listed devices on all pages.
        package let total: Int
        package let counts: [DeviceQuery.Show: Int]
        package let turn: PageTurn?
        /// The number of devices that wait for approval.
        package var waitingTotal: Int
        /// The page number.
        package var page = 1
        /// The values by which devices can be filtered, and the groups and teams that they can join.
        package var choices = DeviceChoices()
        /// The first devices whose status in the developer account differs.
        package var differing: [Entry] = []
        /// The number of devices that are only in the developer accounts.
        package var onlyThere = 0
        /// The device counts at Apple.
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
        /// Identifies it in paths.
        package let reference: String
        package let url: String
        /// Its status at Apple; nil if that is unknown.
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

        /// Whether its status in the developer account differs from the register.
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

    /// Links to related pages.
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
