package import Essentials
package import Identifiers

/// What Apple said of a developer account, when it was asked last.
package struct AccountSnapshot: Codable, Sendable, Equatable {
    /// Whether Apple lets a device be used.
    package enum DeviceStatus: String, Codable, Sendable {
        case enabled
        /// Disabled at Apple; it keeps its slot until the membership is renewed.
        case disabled
        /// Apple has not finished with it; profiles leave it out until then.
        case processing
        /// Apple makes it wait, for up to 72 hours.
        case ineligible
        /// A word that Apple has not documented.
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

    /// How many slots of a family are used, disabled devices included: what Apple counts.
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
    /// By identifier.
    package let devices: [KnownDevice]
    /// Devices of the account that the register does not have.
    package let unknownCount: Int
    /// What Apple calls the profiles of the team that it says are no longer valid, or no longer has; nil
    /// where it was not asked for them.
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
