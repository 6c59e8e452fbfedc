package import Essentials
package import Identifiers

/// The state of a developer account when the server last asked Apple.
package struct AccountSnapshot: Codable, Sendable, Equatable {
    /// The status of a device at Apple.
    package enum DeviceStatus: String, Codable, Sendable {
        case enabled
        /// Disabled at Apple; it keeps its slot until the membership renews.
        case disabled
        /// Apple is still processing it; until then, profiles cannot contain it.
        case processing
        /// Apple does not accept it yet, for up to 72 hours.
        case ineligible
        /// A status that Apple has not documented.
        case other
    }

    /// A device of the register that the account has too.
    package struct KnownDevice: Codable, Sendable, Equatable {
        package let udid: DeviceUDID
        package let status: DeviceStatus

        package init(udid: DeviceUDID, status: DeviceStatus) {
            self.udid = udid
            self.status = status
        }
    }

    /// The used slots of a product family as counted by Apple, including disabled devices.
    package struct UsedSlots: Codable, Sendable, Equatable {
        package let family: ProductFamily
        package let used: Int

        package init(family: ProductFamily, used: Int) {
            self.family = family
            self.used = used
        }
    }

    package let date: Date
    package let slots: [UsedSlots]
    /// Sorted by UDID.
    package let devices: [KnownDevice]
    /// Devices of the account that the register does not have.
    package let unknownCount: Int
    /// Apple's identifiers of the team's profiles that are invalid or no longer exist at Apple; nil if the
    /// server did not ask for them.
    package var invalidProfiles: [String]?

    package init(
        date: Date,
        slots: [UsedSlots],
        devices: [KnownDevice],
        unknownCount: Int,
    ) {
        self.date = date
        self.slots = slots
        self.devices = devices
        self.unknownCount = unknownCount
    }

    /// - Returns: nil for a device that the account did not have.
    package subscript(udid: DeviceUDID) -> DeviceStatus? {
        devices.first { $0.udid == udid }?.status
    }
}
