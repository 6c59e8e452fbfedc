import Bundles
import Bytes
package import Essentials
package import Identifiers
package import Problems

/// The devices and their use of Apple's yearly slots: `devices.json`.
///
/// Apple allows 100 devices per product family and membership year; a disabled device keeps its slot until
/// the membership renews (Apple Developer account help, "Devices overview").
package struct DeviceRegister: Codable, Sendable, Equatable {
    /// Slots per product family and membership year.
    package static let slotLimit = 100
    /// The longest device name that Apple accepts, in characters.
    package static let nameLimit = 50

    package var schema = 1
    package internal(set) var devices: [Device] { didSet { sorted = Once() } }
    /// The day on which the membership year starts, if it has been set; only month and day matter.
    package var renewal: Date?
    /// The same for other teams, by the team identifiers of devices.
    package var renewals: [String: Date]?
    /// Nil if there are none; see ``groups``.
    var groupList: [TesterGroup]?
    /// Caches ``active``, because sorting thousands of devices takes long.
    private var sorted = Once<[Device]>()

    private enum CodingKeys: String, CodingKey {
        case schema, devices, renewal, renewals
        case groupList = "groups"
    }

    package init(_ devices: [Device] = []) {
        self.devices = devices
    }

    package subscript(udid: DeviceUDID) -> Device? {
        devices.first { $0.udid == udid }
    }

    /// The devices in use by name, including those that are waiting for approval.
    package var active: [Device] {
        sorted {
            devices.filter { $0.state != .disabled }
                .map { (name: $0.name.lowercased(), device: $0) }
                .sorted { ($0.name, $0.device.udid) < ($1.name, $1.device.udid) }
                .map(\.device)
        }
    }

    /// Adds a device, or re-enables a disabled one, which keeps a slot that it still holds.
    ///
    /// - Throws: ``DeviceRefusal`` if it is already in use, its name is not valid in Apple's list, or its
    ///   family has no slot left.
    package mutating func add(
        _ device: Device,
        at date: Date,
        by actor: String? = nil,
    ) throws(DeviceRefusal) {
        var device = device
        if let actor { device.begins(by: actor) }
        // Its existing name may have been accepted under other rules.
        if self[device.udid]?.name != device.name { try Self.check(name: device.name) }
        guard let index = devices.firstIndex(where: { $0.udid == device.udid }) else {
            try checkSlot(for: device, at: date)
            devices.append(device)
            return
        }
        let former = devices[index]
        guard former.state == .disabled else { throw .alreadyThere(name: former.name) }
        // Values that are not given are unchanged.
        device.team = device.team ?? former.team
        if device.family == former.family {
            device.model = device.model ?? former.model
            device.os = device.os ?? former.os
        }
        if former.family != device.family || former.team != device.team
            || !holdsSlot(former, at: date)
        {
            try checkSlot(for: device, at: date)
        }
        device.invitations = former.invitations
        device.further = former.further
        let there = device.team.flatMap { device.takeHistory(in: $0) } ?? []
        if let left = former.team, left != device.team {
            device.continues(there)
            if holdsSlot(former, at: date) {
                device.leave(left, as: former, at: date, by: actor)
            }
        } else {
            device.continues(there + former.history)
        }
        devices[index] = device
    }

    /// Disables a device; a slot that it held stays used.
    ///
    /// - Throws: ``DeviceRefusal/unknown`` if no device in use has this UDID.
    @discardableResult
    package mutating func disable(
        _ udid: DeviceUDID,
        at date: Date,
        by actor: String? = nil,
    ) throws(DeviceRefusal) -> Device {
        let index = try activeIndex(of: udid)
        devices[index].change(to: .disabled, at: date, by: actor)
        devices[index].leaveFurtherTeams(at: date, by: actor)
        // A device that is enabled again must be added to groups again explicitly.
        devices[index].leaveAll()
        return devices[index]
    }

    /// Erases a device completely: one that never was in the developer account, or at the request of its
    /// owner.
    ///
    /// - Throws: ``DeviceRefusal/unknown``.
    @discardableResult
    package mutating func forget(_ udid: DeviceUDID) throws(DeviceRefusal) -> Device {
        guard let index = devices.firstIndex(where: { $0.udid == udid }) else { throw .unknown }
        return devices.remove(at: index)
    }

    package mutating func rename(_ udid: DeviceUDID, to name: String) throws(DeviceRefusal) {
        try Self.check(name: name)
        devices[try activeIndex(of: udid)].name = name
    }

    /// Records that the developer account has the device.
    package mutating func markRegistered(
        _ udid: DeviceUDID,
        at date: Date,
        by actor: String? = nil,
    ) throws(DeviceRefusal) {
        let index = try activeIndex(of: udid)
        guard devices[index].state != .registered else { return }
        devices[index].change(to: .registered, at: date, by: actor)
    }

    func activeIndex(of udid: DeviceUDID) throws(DeviceRefusal) -> Int {
        guard
            let index = devices.firstIndex(where: { $0.udid == udid && $0.state != .disabled })
        else { throw .unknown }
        return index
    }

    func checkSlot(for device: Device, at date: Date) throws(DeviceRefusal) {
        let slots = slots(of: device.family, team: device.team, at: date)
        guard slots.used < slots.limit else { throw .noSlotLeft(slots) }
    }

    static func check(name: String) throws(DeviceRefusal) {
        guard PrintableText.isName(name, limit: nameLimit) else { throw .badName(name) }
    }
}

/// Why a change of the register was rejected.
package enum DeviceRefusal: ReportableError, Equatable {
    case alreadyThere(name: String)
    case unknown
    case badName(String)
    /// The device is waiting for approval, so it cannot join another team.
    case notApproved(name: String)
    case alreadyInTeam(name: String, team: String)
    /// The team is the device's own, or the device is not in it.
    case notInTeam(name: String, team: String)
    /// The text is not a product type.
    case badModel(String)
    case noSlotLeft(DeviceSlots)
    /// The most devices are already waiting for approval.
    case tooManyPending(limit: Int)

    package var description: String {
        switch self {
        case .alreadyThere(let name):
            "the device is already known as \(quoted: name)"
        case .unknown:
            "no active device has this identifier"
        case .notApproved(let name):
            "\(quoted: name) is waiting for approval"
        case .alreadyInTeam(let name, let team):
            "\(quoted: name) is already in the team \(quoted: team)"
        case .notInTeam(let name, let team):
            "the team \(quoted: team) is not an additional team of \(quoted: name)"
        case .badName(let name):
            "the name \(quoted: name) must be 1 to "
                + "\(DeviceRegister.nameLimit) printable characters without tabs or outer spaces"
        case .badModel(let model):
            "the model \(quoted: model) must be \(ProductType.kindOfText)"
        case .noSlotLeft(let slots):
            "all \(slots.limit) \(slots.family.title) slots of this membership year are used"
        case .tooManyPending(let limit):
            "\(limit.grouped) devices are already waiting for approval"
        }
    }
}

extension DeviceRefusal {
    package var id: String {
        switch self {
        case .alreadyThere: "device.already-there"
        case .unknown: "device.unknown"
        case .notApproved: "device.not-approved"
        case .alreadyInTeam: "device.already-in-team"
        case .notInTeam: "device.not-in-team"
        case .badName: "device.bad-name"
        case .badModel: "device.bad-model"
        case .tooManyPending: "device.too-many-pending"
        case .noSlotLeft: "device.no-slot"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown: .notFound
        case .badName, .badModel: .invalid
        case .alreadyThere, .noSlotLeft, .tooManyPending, .notApproved, .alreadyInTeam, .notInTeam:
            .conflict
        }
    }

    package var fix: String {
        switch self {
        case .alreadyThere, .alreadyInTeam: "see `ota devices show`"
        case .notApproved: "approve the device first"
        case .notInTeam:
            "see its teams with `ota devices show`; its own team is changed with `ota devices rename --team`"
        case .unknown: "see `ota devices list --all`"
        case .badName: "choose another name, such as Ana's iPhone"
        case .badModel: "leave the model out; a device that enrols reports it"
        case .tooManyPending: "approve or remove devices that are waiting"
        case .noSlotLeft(let slots):
            "wait for the membership to renew"
                + (slots.resets.map { " on \(Wording.day($0))" } ?? "")
                + "; disabled devices then free their slots"
        }
    }
}
