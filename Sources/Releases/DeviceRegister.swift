package import Bundles
import Bytes
package import Foundation

/// The team's devices and what they take of Apple's yearly budget: `devices.json`.
///
/// Apple gives 100 slots per product family and membership year; a device that is disabled keeps
/// its slot until the membership is renewed (Apple Developer account help, "Devices overview").
package struct DeviceRegister: Codable, Sendable, Equatable {
    /// Slots per product family and membership year.
    package static let slotLimit = 100
    /// What Apple takes as a device's name, in characters.
    package static let nameLimit = 50

    package var schema = 1
    package private(set) var devices: [Device]
    /// The day on which the membership year begins anew, where the team has said it; only its
    /// month and day count.
    package var renewal: Date?

    package init() {
        devices = []
    }

    package subscript(udid: DeviceUDID) -> Device? {
        devices.first { $0.udid == udid }
    }

    /// The devices in use, by name.
    package var active: [Device] {
        devices.filter { $0.state != .disabled }
            .sorted { ($0.name.lowercased(), $0.udid) < ($1.name.lowercased(), $1.udid) }
    }

    /// Adds a device, or brings a disabled one back into use on the slot that it still holds.
    ///
    /// - Throws: ``DeviceRefusal`` when it is there already, its name cannot stand in Apple's
    ///   list, or its family has no slot left.
    package mutating func add(_ device: Device, at date: Date) throws(DeviceRefusal) {
        try Self.check(name: device.name)
        guard let index = devices.firstIndex(where: { $0.udid == device.udid }) else {
            try checkSlot(for: device.family, at: date)
            devices.append(device)
            return
        }
        guard devices[index].state == .disabled else {
            throw .alreadyThere(name: devices[index].name)
        }
        if devices[index].family != device.family || !holdsSlot(devices[index], at: date) {
            try checkSlot(for: device.family, at: date)
        }
        devices[index] = device
    }

    /// Takes a device out of use; it keeps its slot.
    ///
    /// - Throws: ``DeviceRefusal/unknown`` when no device in use has the identifier.
    @discardableResult
    package mutating func disable(
        _ udid: DeviceUDID,
        at date: Date,
    ) throws(DeviceRefusal) -> Device {
        let index = try activeIndex(of: udid)
        devices[index].state = .disabled
        devices[index].stateSince = date
        return devices[index]
    }

    /// Erases a device wholly: for one that never was in the developer account, or on request of
    /// its owner.
    @discardableResult
    package mutating func forget(_ udid: DeviceUDID) throws(DeviceRefusal) -> Device {
        guard let index = devices.firstIndex(where: { $0.udid == udid }) else { throw .unknown }
        return devices.remove(at: index)
    }

    package mutating func rename(_ udid: DeviceUDID, to name: String) throws(DeviceRefusal) {
        try Self.check(name: name)
        devices[try activeIndex(of: udid)].name = name
    }

    /// Notes that the developer account has the device now.
    package mutating func markRegistered(_ udid: DeviceUDID, at date: Date) throws(DeviceRefusal) {
        let index = try activeIndex(of: udid)
        guard devices[index].state != .registered else { return }
        devices[index].state = .registered
        devices[index].stateSince = date
    }

    private func activeIndex(of udid: DeviceUDID) throws(DeviceRefusal) -> Int {
        guard
            let index = devices.firstIndex(where: { $0.udid == udid && $0.state != .disabled })
        else { throw .unknown }
        return index
    }

    private func checkSlot(for family: ProductFamily, at date: Date) throws(DeviceRefusal) {
        let slots = slots(of: family, at: date)
        guard slots.used < slots.limit else { throw .noSlotLeft(slots) }
    }

    private static func check(name: String) throws(DeviceRefusal) {
        let isPrintable = name.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace || $0 == " "
        }
        let hasControls = name.unicodeScalars.contains {
            $0.properties.generalCategory == .control
        }
        // One character may be built of any number of marks, hence the second limit.
        guard isPrintable, !hasControls, !name.isEmpty, name.count <= nameLimit,
            name.utf8.count <= 16 * nameLimit,
            name.trimmingCharacters(in: .whitespaces) == name
        else { throw .badName(name) }
    }
}

/// Why the register would not change.
package enum DeviceRefusal: Error, Equatable, CustomStringConvertible {
    case alreadyThere(name: String)
    case unknown
    case badName(String)
    case noSlotLeft(DeviceSlots)

    package var description: String {
        switch self {
        case .alreadyThere(let name):
            "the device is in the register already, as \(quoted: name)"
        case .unknown:
            "no device in use has this identifier"
        case .badName(let name):
            "the name \(quoted: name) must be 1 to "
                + "\(DeviceRegister.nameLimit) printable characters without tabs or outer spaces"
        case .noSlotLeft(let slots):
            "all \(slots.limit) slots for \(slots.family.title) are used this membership year"
        }
    }
}
