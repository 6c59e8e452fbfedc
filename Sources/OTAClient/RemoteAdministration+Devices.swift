package import APIDocuments
import Administration
import Bundles
package import Enrolment
package import Foundation
package import Identifiers
import Releases

extension RemoteAdministration {
    package func devices(all: Bool) async throws -> DevicesDocument {
        try await get(["devices"], [("all", "\(all)")])
    }

    /// By its identifier, which stands in the body: addresses are logged.
    package func device(_ udid: DeviceUDID) async throws -> DeviceDocument {
        try await send(.post, ["devices", "lookup"], LookupRequest(udid: udid))
    }

    package func addDevice(_ device: NewDevice) async throws -> DeviceDocument {
        try await send(.post, ["devices"], device)
    }

    package func rename(_ udid: DeviceUDID, to name: String) async throws -> DeviceDocument {
        try await send(.patch, ["devices", reference(udid)], RenamingRequest(name: name))
    }

    package func approve(_ udids: [DeviceUDID]?) async throws -> DevicesDocument {
        var references: [String]?
        if let udids {
            references = []
            for udid in udids { references?.append(try await reference(udid)) }
        }
        return try await send(
            .post,
            ["devices", "approve"],
            ApprovalRequest(devices: references),
        )
    }

    package func remove(_ udid: DeviceUDID, erasing: Bool) async throws -> DeviceDocument {
        let reference = try await reference(udid)
        return try await erasing
            ? send(.delete, ["devices", reference])
            : send(.post, ["devices", reference, "disable"])
    }

    package func exportDevices(all: Bool) async throws -> ExportDocument {
        try await get(["devices", "export"], [("all", "\(all)")])
    }

    package func importDevices(_ listing: DeviceListing) async throws -> ImportDocument {
        try await send(.post, ["devices", "import"], listing)
    }

    package func slots() async throws -> SlotsDocument {
        try await get(["slots"])
    }

    package func renewMembership(on day: Date) async throws -> SlotsDocument {
        try await send(.put, ["slots"], RenewalRequest(renews: day))
    }

    // MARK: Invitations

    package func invitations(all: Bool) async throws -> InvitationsDocument {
        try await get(["invitations"], [("all", "\(all)")])
    }

    package func invite(_ invitation: NewInvitation) async throws -> SentInvitationDocument {
        try await send(.post, ["invitations"], invitation)
    }

    package func revokeInvitation(
        _ identifier: InvitationIdentifier
    ) async throws -> InvitationDocument {
        try await send(.delete, ["invitations", identifier.rawValue])
    }

    private func reference(_ udid: DeviceUDID) async throws -> String {
        try await device(udid).device.reference
    }
}
