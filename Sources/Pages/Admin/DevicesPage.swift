package import Foundation
import Identifiers
package import Releases

/// The register of devices: who waits, how many slots are left, and everybody.
package struct DevicesPage: AdminPage {
    package let admin: AdminChrome
    let waiting: [Row]
    let hasWaiting: Bool
    let hasSeveralWaiting: Bool
    let approveURL: String
    let slots: [Slots]
    /// Devices that the developer account has otherwise than the register.
    let differing: [Row]
    let hasDiffering: Bool
    /// How many devices the developer accounts have and the register does not; nil for none.
    let onlyThere: String?
    let hasAccounts: Bool
    let filters: [Filter]
    let search: String
    let searchURL: String
    let show: String
    let devices: [Row]
    let isEmpty: Bool
    let emptiness: String
    let found: String
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
        waiting = devices.waiting.map { Row($0, at: date) }
        hasWaiting = !waiting.isEmpty
        hasSeveralWaiting = waiting.count > 1
        approveURL = links.approveDevices
        self.slots = slots.map { Slots($0, counts: devices.counted, at: date) }
        differing = devices.differing.map { Row($0, at: date) }
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
        search = query.search
        searchURL = links.findDevice
        show = query.show.rawValue
        self.devices = devices.listed.map { Row($0, at: date) }
        isEmpty = devices.listed.isEmpty
        found = Wording.count(devices.total, "device")
        emptiness =
            query.search.isEmpty
            ? (query.show == .all
                ? "No devices yet. Invite a tester to add their device."
                : "No device is in this state.")
            : "No device matches “\(query.search)”."
        turn = devices.turn
        self.links = Ways(links)
    }

    /// What the page lists.
    package struct Contents: Sendable {
        package let waiting: [Entry]
        package let listed: [Entry]
        /// How many there are of those that are listed, on all pages.
        package let total: Int
        package let counts: [DeviceQuery.Show: Int]
        package let turn: PageTurn?
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
        package var differs: Bool { atApple?.chip(for: device) != nil }
    }

    struct Row: Sendable {
        let name: String
        let kind: String
        let url: String
        let reference: String
        let state: Chip
        let atApple: Chip?
        let advice: String?
        let team: String?
        let since: String

        init(_ entry: Entry, at date: Date) {
            name = entry.device.name
            kind = entry.device.kind
            url = entry.url
            reference = entry.reference
            state = entry.atApple?.state(of: entry.device) ?? Chip(entry.device.state)
            atApple = entry.atApple?.chip(for: entry.device)
            advice = entry.atApple?.advice(for: entry.device)
            let further = entry.device.furtherTeams
            let teams = (entry.device.team.map { [$0] } ?? []) + further
            team = teams.isEmpty ? nil : teams.joined(separator: ", ")
            since = "since \(Wording.day(entry.device.stateSince))"
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
            title = show.title
            number = "\(count)"
            url = links.devices(show.rawValue, search: query.search)
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
