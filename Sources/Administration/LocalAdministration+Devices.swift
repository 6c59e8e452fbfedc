package import APIDocuments
import Bundles
package import Enrolment
package import Foundation
package import Identifiers
import Releases
import Store

extension LocalAdministration {
    package func devices(all: Bool) throws -> DevicesDocument {
        let register = try admin.store.devices()
        return try document(of: all ? register.devices : register.active)
    }

    package func device(_ udid: DeviceUDID) throws -> DeviceDocument {
        try document(of: admin.device(udid))
    }

    package func addDevice(_ device: NewDevice) throws -> DeviceDocument {
        let added = try admin.addDevice(device)
        let slots = try admin.store.devices().slots(
            of: added.family,
            team: added.team,
            at: admin.clock(),
        )
        return DeviceDocument(
            device: DeviceEntry(added, try admin.references),
            slots: SlotEntry(slots),
        )
    }

    package func rename(_ udid: DeviceUDID, to name: String) throws -> DeviceDocument {
        try document(of: admin.rename(udid, to: name))
    }

    package func approve(_ udids: [DeviceUDID]?) throws -> DevicesDocument {
        try document(of: udids.map { try admin.approve($0) } ?? admin.approveAll())
    }

    package func remove(_ udid: DeviceUDID, erasing: Bool) throws -> DeviceDocument {
        try document(of: admin.remove(udid, erasing: erasing))
    }

    package func exportDevices(all: Bool) throws -> ExportDocument {
        ExportDocument(devices: try entries(of: admin.exportDevices(all: all)))
    }

    package func importDevices(_ listing: DeviceListing) throws -> ImportDocument {
        ImportDocument(try admin.importDevices(listing))
    }

    package func slots() throws -> SlotsDocument {
        let slots = try admin.store.devices().slots(at: admin.clock())
        return SlotsDocument(slots: slots.map(SlotEntry.init))
    }

    package func renewMembership(on day: Date) throws -> SlotsDocument {
        SlotsDocument(slots: try admin.renewMembership(on: day).map(SlotEntry.init))
    }

    // MARK: Invitations

    package func invitations(all: Bool) throws -> InvitationsDocument {
        let now = admin.clock()
        let invitations = try admin.store.invitations().invitations
            .filter { all || $0.state(at: now) == .open }
        return InvitationsDocument(
            invitations: invitations.map { InvitationEntry($0, at: now) }
        )
    }

    package func invite(_ invitation: NewInvitation) throws -> SentInvitationDocument {
        let sent =
            try links.map { try admin.invite(invitation, links: $0) } ?? admin.invite(invitation)
        return SentInvitationDocument(sent)
    }

    package func revokeInvitation(
        _ identifier: InvitationIdentifier
    ) throws -> InvitationDocument {
        let revoked = try admin.revokeInvitation(identifier)
        return InvitationDocument(invitation: InvitationEntry(revoked, at: admin.clock()))
    }

    private func document(of device: Device) throws -> DeviceDocument {
        DeviceDocument(device: DeviceEntry(device, try admin.references))
    }

    private func document(of devices: [Device]) throws -> DevicesDocument {
        DevicesDocument(devices: try entries(of: devices), slots: try slots().slots)
    }

    private func entries(of devices: [Device]) throws -> [DeviceEntry] {
        let references = try admin.references
        return devices.map { DeviceEntry($0, references) }
    }
}
