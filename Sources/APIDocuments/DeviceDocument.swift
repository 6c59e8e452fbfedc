package import Access
import Bytes
package import Foundation
import Bundles
package import Identifiers
package import Inspection
package import Releases

/// A device's state in its team's developer account, as of the server's last request to Apple.
package enum DeviceAtApple: String, Codable, Sendable {
    case enabled, disabled, processing, ineligible, other
    /// The device was registered, but is no longer in the account.
    case unknown
}

/// A device in the API and in `--json`; only admins can see devices.
package struct DeviceEntry: Codable, Equatable, Sendable {
    package let udid: DeviceUDID
    /// Identifies it in URLs, which must not contain its UDID.
    package let reference: String
    package let name: String
    package let family: ProductFamily
    package let state: Device.State
    @OrNull package var model: String?
    /// The product's name, if the model is known.
    @OrNull package var modelName: String?
    @OrNull package var os: String?
    /// The team to whose developer account it belongs; nil if no team has an account, or if several have
    /// one and the device is assigned to none.
    @OrNull package var team: String?
    /// Other teams whose accounts have it or will have it; absent for none.
    package let furtherTeams: [FurtherTeamEntry]?
    /// The names of its groups; absent for none.
    package let groups: [String]?
    /// Nil if Apple has not been asked about it yet.
    @OrNull package var atApple: DeviceAtApple?
    package let added: Date
    package let stateSince: Date

    package init(_ device: Device, among teams: [Team], _ references: SessionAuthority) {
        udid = device.udid
        reference = references.reference(to: device.udid)
        name = device.name
        family = device.family
        state = device.state
        groups = device.groups.isEmpty ? nil : device.groups.sorted().map(\.rawValue)
        model = device.model
        modelName = device.modelName
        os = device.os?.description
        let owner = device.owner(among: teams)
        team = device.team ?? owner?.identifier.rawValue
        atApple = DeviceAtApple(device, in: owner?.account?.snapshot)
        let further = device.places.dropFirst().filter { $0.state != .disabled }
        furtherTeams = further.isEmpty ? nil : further.map { FurtherTeamEntry($0, among: teams) }
        added = device.added
        stateSince = device.stateSince
    }
}

/// The state of a device in a team other than its own.
package struct FurtherTeamEntry: Codable, Equatable, Sendable {
    /// The team's identifier.
    package let team: String
    /// Approved until the team's developer account has the device, then registered.
    package let state: Device.State
    package let stateSince: Date
    /// Nil if Apple has not been asked about it yet.
    @OrNull package var atApple: DeviceAtApple?

    fileprivate init(_ place: Device, among teams: [Team]) {
        team = place.team ?? ""
        state = place.state
        stateSince = place.stateSince
        atApple = DeviceAtApple(place, in: place.owner(among: teams)?.account?.snapshot)
    }
}

extension DeviceAtApple {
    /// Nil if the account has not been checked since the device was registered.
    fileprivate init?(_ device: Device, in snapshot: AccountSnapshot?) {
        guard let snapshot else { return nil }
        switch snapshot[device.udid] {
        case .enabled: self = .enabled
        case .disabled: self = .disabled
        case .processing: self = .processing
        case .ineligible: self = .ineligible
        case .other: self = .other
        case nil:
            guard device.state == .registered, device.stateSince <= snapshot.date else {
                return nil
            }
            self = .unknown
        }
    }
}

/// The slots of one product family.
package struct SlotEntry: Codable, Equatable, Sendable {
    package let family: ProductFamily
    package let used: Int
    package let limit: Int
    @OrNull package var resets: Date?
    /// Nil for devices without a team.
    @OrNull package var team: String?

    package init(_ slots: DeviceSlots) {
        family = slots.family
        used = slots.used
        limit = slots.limit
        resets = slots.resets
        team = slots.team
    }
}

/// `{"schema": 1, "device": {…}}`, with the slots of its family if they matter.
package struct DeviceDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let device: DeviceEntry
    package let slots: SlotEntry?

    package init(device: DeviceEntry, slots: SlotEntry? = nil) {
        self.device = device
        self.slots = slots
    }
}

/// Devices, and the slots that they use.
package struct DevicesDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let devices: [DeviceEntry]
    package let slots: [SlotEntry]
    /// The value of ``ListDevices/after`` for the next page; nil on the last page.
    package let next: String?

    package init(devices: [DeviceEntry], slots: [SlotEntry], next: String? = nil) {
        self.devices = devices
        self.slots = slots
        self.next = next
    }
}

/// The devices to register at Apple.
package struct ExportDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let devices: [DeviceEntry]

    package init(devices: [DeviceEntry]) {
        self.devices = devices
    }

    /// The tab-separated list that Apple's developer site accepts.
    package var list: String {
        AppleDeviceFile.write(
            devices.map {
                Device(udid: $0.udid, name: $0.name, family: $0.family, added: $0.added)
            }
        )
    }
}

/// How many devices of a list were new, and how many were known.
package struct ImportDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let added: Int
    package let known: Int
    /// Names that were too long, in their shortened form.
    package let shortened: [String]

    package init(added: Int, known: Int, shortened: [String]) {
        self.added = added
        self.known = known
        self.shortened = shortened
    }

    /// The result in full sentences.
    package var sentence: String {
        let first =
            "Added \(Wording.count(added, "device")); \(known) of the list "
            + (known == 1 ? "was" : "were") + " already known."
        guard let example = shortened.first else { return first }
        let names =
            shortened.count == 1 ? "1 name was" : "\(shortened.count.grouped) names were"
        return first + " \(names) shortened to \(DeviceRegister.nameLimit) characters, such as "
            + "“\(example)”."
    }
}

/// The slots alone.
package struct SlotsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let slots: [SlotEntry]

    package init(slots: [SlotEntry]) {
        self.slots = slots
    }
}
