import Bundles
package import Essentials
package import Identifiers

/// A device that has proven its identity and is being added to the register.
package struct Newcomer: Sendable, Equatable {
    package let udid: DeviceUDID
    /// The name of the invited tester.
    package let name: String
    /// The product type, which determines the family.
    package let model: String
    package let os: OSVersion?
    package let invited: Date
    package let invitedBy: String

    package init(
        udid: DeviceUDID,
        name: String,
        model: String,
        os: OSVersion?,
        invited: Date,
        by admin: String,
    ) {
        self.udid = udid
        self.name = name
        self.model = model
        self.os = os
        self.invited = invited
        invitedBy = admin
    }
}

extension DeviceRegister {
    /// The most devices that may be waiting for approval.
    package static let pendingLimit = 200

    /// The devices that are waiting for approval, oldest first.
    package var pending: [Device] {
        devices.filter { $0.state == .enrolled }.sorted { $0.stateSince < $1.stateSince }
    }

    /// The devices that the developer account does not have yet, by name: those to register at Apple.
    ///
    /// Includes those that an additional team's account does not have.
    package var unregistered: [Device] {
        active.filter { $0.places.contains { $0.state == .approved } }
    }

    /// Adds a device that waits for approval and takes no slot.
    ///
    /// A device in use keeps its state and name, and updates its model and OS version; a disabled one waits
    /// for approval again.
    ///
    /// - Parameters:
    ///   - newcomer: the device as proven.
    ///   - date: the current time.
    /// - Returns: the device in the register.
    /// - Throws: ``DeviceRefusal`` if too many devices are waiting, or the name is not valid for a device.
    @discardableResult
    package mutating func enrol(
        _ newcomer: Newcomer,
        at date: Date,
    ) throws(DeviceRefusal) -> Device {
        guard let index = devices.firstIndex(where: { $0.udid == newcomer.udid }) else {
            try Self.check(name: newcomer.name)
            try checkPending()
            var device = Device(
                udid: newcomer.udid,
                name: newcomer.name,
                family: ProductFamily(model: newcomer.model) ?? .iphone,
                model: newcomer.model,
                os: newcomer.os,
                state: .invited,
                added: date,
            )
            device.begins(by: newcomer.invitedBy, at: newcomer.invited)
            device.change(to: .enrolled, at: date, by: newcomer.name)
            devices.append(device)
            return device
        }
        if devices[index].state == .disabled {
            try checkPending()
            devices[index].change(to: .enrolled, at: date, by: newcomer.name)
        }
        devices[index].family = ProductFamily(model: newcomer.model) ?? devices[index].family
        devices[index].model = newcomer.model
        devices[index].os = newcomer.os ?? devices[index].os
        return devices[index]
    }

    /// Approves a device that is waiting, which takes a slot; a device that is already approved is
    /// unchanged.
    ///
    /// - Throws: ``DeviceRefusal`` if no device in use has this UDID, or its family has no slot left.
    @discardableResult
    package mutating func approve(
        _ udid: DeviceUDID,
        at date: Date,
        by actor: String? = nil,
    ) throws(DeviceRefusal) -> Device {
        let index = try activeIndex(of: udid)
        guard devices[index].state == .enrolled else { return devices[index] }
        if !holdsSlot(devices[index], at: date) { try checkSlot(for: devices[index], at: date) }
        devices[index].change(to: .approved, at: date, by: actor)
        return devices[index]
    }

    /// Assigns a device that is waiting for approval to a team; one that an admin has already assigned is
    /// unchanged.
    package mutating func assign(_ udid: DeviceUDID, to team: TeamIdentifier) {
        guard
            let index = devices.firstIndex(where: {
                $0.udid == udid && $0.state == .enrolled && $0.team == nil
            })
        else { return }
        devices[index].team = team.rawValue
    }

    private func checkPending() throws(DeviceRefusal) {
        guard pending.count < Self.pendingLimit else {
            throw .tooManyPending(limit: Self.pendingLimit)
        }
    }
}
