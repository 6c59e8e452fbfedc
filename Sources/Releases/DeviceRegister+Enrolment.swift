import Bundles
package import Essentials
package import Identifiers

/// A device that proved itself, on its way into the register.
package struct Newcomer: Sendable, Equatable {
    package let udid: DeviceUDID
    /// Whom the invitation was for.
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
    /// How many devices may wait for approval at once.
    package static let pendingLimit = 200

    /// Devices that wait for the team to approve them, the oldest first.
    package var pending: [Device] {
        devices.filter { $0.state == .enrolled }.sorted { $0.stateSince < $1.stateSince }
    }

    /// Devices that the developer account does not have yet, by name: what to hand to Apple.
    ///
    /// Those that a further team's account lacks are among them.
    package var unregistered: [Device] {
        active.filter { $0.places.contains { $0.state == .approved } }
    }

    /// Takes a device in, to wait for approval without a slot.
    ///
    /// A device in use keeps its state and its name and tells what it runs now; a disabled one
    /// waits for approval again.
    ///
    /// - Parameters:
    ///   - newcomer: what it proved of itself.
    ///   - date: when.
    /// - Returns: the entry.
    /// - Throws: ``DeviceRefusal`` when too many wait, or the name cannot be a device's.
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

    /// Lets a device that waits have a slot; one that was approved before stays as it is.
    ///
    /// - Throws: ``DeviceRefusal`` when no device in use has the identifier, or its family has no
    ///   slot left.
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

    /// Says which team's account a device that waits for approval is for; one that another admin has
    /// assigned stays where it is.
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
