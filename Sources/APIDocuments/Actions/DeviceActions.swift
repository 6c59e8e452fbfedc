import Access
package import Foundation
package import Identifiers

// No URL contains a device's UDID, because URLs are logged: `{device}` is the reference that
// `LookUpDevice` returns.

/// Lists one page of the devices in use, or of all known devices, with the slots that all devices take.
package struct ListDevices: Action {
    package typealias Answer = DevicesDocument
    /// The most devices on one page.
    package static let pageSize = 500
    package static let route = ActionRoute(
        .get,
        "/devices",
        .everywhere(.admin),
        query: [
            .flag("all"), .number("limit", in: 1...pageSize, else: usualPage), .text("after"),
        ],
    )

    package let all: Bool
    package let limit: Int
    /// The reference of the last device on the previous page; nil for the first page.
    package let after: String?

    package init(all: Bool, limit: Int = pageSize, after: String? = nil) {
        self.all = all
        self.limit = limit
        self.after = after
    }
}

/// Adds a device, or enables a disabled one.
package struct AddDevice: Action {
    package typealias Answer = DeviceDocument
    package static let route = ActionRoute(
        .post,
        "/devices",
        .everywhere(.admin),
        success: .created,
    )

    package let content: NewDevice

    package init(_ device: NewDevice) {
        content = device
    }

    package static func location(of answer: DeviceDocument) -> String? {
        "/devices/" + answer.device.reference
    }
}

/// Finds a device by its UDID.
package struct LookUpDevice: Action {
    package typealias Answer = DeviceDocument
    package static let route = ActionRoute(.post, "/devices/lookup", .everywhere(.admin))

    package let content: LookupRequest

    package init(_ request: LookupRequest) {
        content = request
    }
}

/// Approves enrolled devices, each of which takes a slot.
///
/// If one cannot be approved, none is.
package struct ApproveDevices: Action {
    package typealias Answer = DevicesDocument
    package static let route = ActionRoute(
        .post,
        "/devices/approve",
        .everywhere(.admin),
        bodyLimit: 64 << 10,
    )

    package let content: ApprovalRequest

    package init(_ request: ApprovalRequest) {
        content = request
    }
}

/// Disables devices: all of them or, on an error, none.
///
/// Devices that are already disabled stay so.
package struct DisableDevices: Action {
    /// The devices that were in use before.
    package typealias Answer = DevicesDocument
    package static let route = ActionRoute(
        .post,
        "/devices/disable",
        .everywhere(.admin),
        bodyLimit: 64 << 10,
    )

    package let content: MembershipRequest

    package init(_ references: [String]) {
        content = MembershipRequest(devices: references)
    }
}

/// Adds devices to another team, where they take slots: all of them or, on an error, none.
///
/// Devices that are already in the team stay so.
package struct AddDevicesToTeam: Action {
    /// The devices that joined the team.
    package typealias Answer = DevicesDocument
    package static let route = ActionRoute(
        .post,
        "/devices/add-to-team",
        .everywhere(.admin),
        bodyLimit: 64 << 10,
    )

    package let content: TeamMembershipRequest

    package init(_ references: [String], to team: TeamIdentifier) {
        content = TeamMembershipRequest(devices: references, team: team)
    }
}

/// Adds the devices of a list from Apple's developer site: all of them or, on an error, none.
package struct ImportDevices: Action {
    package typealias Answer = ImportDocument
    package static let route = ActionRoute(
        .post,
        "/devices/import",
        .everywhere(.admin),
        bodyLimit: 512 << 10,
    )

    package let content: DeviceListing

    package init(_ listing: DeviceListing) {
        content = listing
    }
}

/// Exports a device list for Apple: the devices that the developer account does not have yet, or all
/// devices that have or could have a slot.
package struct ExportDevices: Action {
    package typealias Answer = ExportDocument
    package static let route = ActionRoute(
        .get,
        "/devices/export",
        .everywhere(.admin),
        query: [.flag("all")],
    )

    package let all: Bool

    package init(all: Bool) {
        self.all = all
    }
}

/// Shows one device.
package struct ShowDevice: Action {
    package typealias Answer = DeviceDocument
    package static let route = ActionRoute(
        .get,
        "/devices/{device}",
        .everywhere(.admin),
        hasVersion: true,
    )

    package let device: String

    package init(_ reference: String) {
        device = reference
    }
}

/// Renames a device, or changes its teams.
package struct RenameDevice: Action {
    package typealias Answer = DeviceDocument
    package static let route = ActionRoute(
        .patch,
        "/devices/{device}",
        .everywhere(.admin),
        hasVersion: true,
    )

    package let device: String
    package let content: RenamingRequest

    package init(_ reference: String, to name: String) {
        device = reference
        content = RenamingRequest(name: name)
    }

    package init(_ reference: String, _ request: RenamingRequest) {
        device = reference
        content = request
    }
}

/// Disables a device; its slot stays used until the membership year ends.
///
/// Repeating the request has no further effect.
package struct DisableDevice: Action {
    package typealias Answer = DeviceDocument
    package static let route = ActionRoute(
        .post,
        "/devices/{device}/disable",
        .everywhere(.admin),
    )

    package let device: String

    package init(_ reference: String) {
        device = reference
    }
}

/// Erases every trace of a device.
package struct EraseDevice: Action {
    package typealias Answer = DeviceDocument
    package static let route = ActionRoute(.delete, "/devices/{device}", .everywhere(.admin))

    package let device: String

    package init(_ reference: String) {
        device = reference
    }
}

/// Shows the slots of each product family.
package struct ShowSlots: Action {
    package typealias Answer = SlotsDocument
    package static let route = ActionRoute(.get, "/slots", .everywhere(.admin))

    package init() {}
}

/// Sets the day on which the developer membership renews, which frees the slots of disabled devices.
package struct RenewMembership: Action {
    package typealias Answer = SlotsDocument
    package static let route = ActionRoute(.put, "/slots", .everywhere(.admin))

    package let content: RenewalRequest

    package init(on day: Date, of team: TeamIdentifier? = nil) {
        content = RenewalRequest(renews: day, team: team)
    }
}

extension NewDevice: ActionContent {
    package static var keys: Set<String> { ["udid", "name", "family", "model", "os", "team"] }
}

extension LookupRequest: ActionContent {
    package static var keys: Set<String> { ["udid"] }
}

extension ApprovalRequest: ActionContent {
    package static var keys: Set<String> { ["devices", "all"] }

    package var flaw: ContentFlaw? {
        guard (devices == nil) != (all ?? false) else { return nil }
        return ContentFlaw(
            "the request must either name devices or ask for all of them",
            fix: "give a list of devices, or all: true",
        )
    }
}

extension TeamMembershipRequest: ActionContent {
    package static var keys: Set<String> { ["devices", "team"] }

    package var flaw: ContentFlaw? { MembershipRequest(devices: devices).flaw }
}

extension DeviceListing: ActionContent {
    package static var keys: Set<String> { ["list", "registered", "family", "team"] }
}

extension RenamingRequest: ActionContent {
    package static var keys: Set<String> { ["name", "team", "addTeams", "removeTeams"] }

    package var flaw: ContentFlaw? {
        guard name == nil, team == nil, (addTeams ?? []).isEmpty, (removeTeams ?? []).isEmpty
        else { return nil }
        return ContentFlaw("the request changes nothing", fix: "give a name or a team")
    }
}

extension RenewalRequest: ActionContent {
    package static var keys: Set<String> { ["renews", "team"] }
}
