package import APIDocuments
import Access
import Identifiers
package import Releases
import Store

extension Actions {
    static let devices: [any PerformedAction.Type] = [
        ListDevices.self, AddDevice.self, LookUpDevice.self, ApproveDevices.self,
        DisableDevices.self, AddDevicesToTeam.self,
        ImportDevices.self, ExportDevices.self, ShowDevice.self, RenameDevice.self,
        DisableDevice.self, EraseDevice.self, ShowSlots.self, RenewMembership.self,
    ]
}

extension ListDevices: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> DevicesDocument {
        let admin = administration.admin
        let register = try admin.store.devices()
        let devices = all ? register.devices : register.active
        var rest = devices[...]
        if let after {
            let last = try admin.devicesByReference()[after]
            let place = last.flatMap { last in devices.firstIndex { $0.udid == last.udid } }
            guard let place else {
                throw BadParameter("after", fix: "give `next` from the previous page")
            }
            rest = devices[(place + 1)...]
        }
        let page = rest.prefix(limit)
        let next = page.count < rest.count ? page.last : nil
        return try admin.document(
            of: Array(page),
            next: next.map { try admin.references.reference(to: $0.udid) },
        )
    }
}

extension AddDevice: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> DeviceDocument {
        let admin = administration.admin
        let added = try admin.addDevice(content)
        let slots = try admin.store.devices().slots(
            of: added.family,
            team: added.team,
            at: admin.clock(),
        )
        return DeviceDocument(
            device: DeviceEntry(added, among: try admin.deviceTeams, try admin.references),
            slots: SlotEntry(slots),
        )
    }
}

extension LookUpDevice: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> DeviceDocument {
        try administration.admin.document(of: administration.admin.device(content.udid))
    }
}

extension ApproveDevices: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> DevicesDocument {
        let admin = administration.admin
        guard let references = content.devices else {
            return try admin.document(of: admin.approveAll())
        }
        let udids = try admin.devices(referencedAs: references).map(\.udid)
        return try admin.document(of: admin.approve(udids))
    }
}

extension DisableDevices: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> DevicesDocument {
        let admin = administration.admin
        let udids = try admin.devices(referencedAs: content.devices).map(\.udid)
        return try admin.document(of: admin.disable(udids))
    }
}

extension AddDevicesToTeam: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> DevicesDocument {
        let admin = administration.admin
        let udids = try admin.devices(referencedAs: content.devices).map(\.udid)
        return try admin.document(of: admin.add(udids, to: content.team))
    }
}

extension ImportDevices: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ImportDocument {
        ImportDocument(try administration.admin.importDevices(content))
    }
}

extension ExportDevices: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ExportDocument {
        let admin = administration.admin
        return ExportDocument(devices: try admin.entries(of: admin.exportDevices(all: all)))
    }
}

extension ShowDevice: VersionedAction {
    package func perform(
        in administration: LocalAdministration,
        if isExpected: (Device) throws -> Bool,
    ) throws -> (answer: DeviceDocument, record: Device) {
        let found = try administration.admin.device(referencedAs: device)
        return (try administration.admin.document(of: found), found)
    }
}

extension RenameDevice: VersionedAction {
    package func perform(
        in administration: LocalAdministration,
        if isExpected: (Device) throws -> Bool,
    ) throws -> (answer: DeviceDocument, record: Device) {
        let admin = administration.admin
        let renamed = try admin.rename(
            admin.device(referencedAs: device).udid,
            to: content.name,
            of: content.team,
            adding: content.addTeams ?? [],
            removing: content.removeTeams ?? [],
            if: isExpected,
        )
        return (try admin.document(of: renamed), renamed)
    }
}

extension DisableDevice: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> DeviceDocument {
        let admin = administration.admin
        let found = try admin.device(referencedAs: device)
        guard found.state != .disabled else { return try admin.document(of: found) }
        return try admin.document(of: admin.disable(found.udid))
    }
}

extension EraseDevice: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> DeviceDocument {
        let admin = administration.admin
        let udid = try admin.device(referencedAs: device).udid
        return try admin.document(of: admin.remove(udid, erasing: true))
    }
}

extension ShowSlots: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SlotsDocument {
        SlotsDocument(slots: try administration.admin.slots())
    }
}

extension RenewMembership: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SlotsDocument {
        let slots = try administration.admin.renewMembership(
            on: content.renews,
            of: content.team,
        )
        return SlotsDocument(slots: slots.map(SlotEntry.init))
    }
}

extension Administrator {
    /// All teams; none if a team's document is damaged, which is reported elsewhere.
    fileprivate var deviceTeams: [Team] {
        get throws { try store.unlessDamaged { try store.teams() } ?? [] }
    }

    fileprivate func slots() throws -> [SlotEntry] {
        try store.devices().slots(at: clock()).map(SlotEntry.init)
    }

    fileprivate func document(of device: Device) throws -> DeviceDocument {
        DeviceDocument(device: DeviceEntry(device, among: try deviceTeams, try references))
    }

    func document(of devices: [Device], next: String? = nil) throws -> DevicesDocument {
        DevicesDocument(devices: try entries(of: devices), slots: try slots(), next: next)
    }

    fileprivate func entries(of devices: [Device]) throws -> [DeviceEntry] {
        let (references, teams) = (try references, try deviceTeams)
        return devices.map { DeviceEntry($0, among: teams, references) }
    }
}
