package import Essentials
package import Identifiers

extension DeviceRegister {
    /// Assigns all devices without a team to a team, and their membership year too if the team has none of
    /// its own.
    ///
    /// - Returns: the number of devices.
    package mutating func assignRest(to team: TeamIdentifier) -> Int {
        let indices = devices.indices.filter { devices[$0].team == nil }
        guard !indices.isEmpty else { return 0 }
        for index in indices {
            let there = devices[index].takeHistory(in: team.rawValue) ?? []
            devices[index].team = team.rawValue
            if !devices[index].isApproved { devices[index].continues(there) }
        }
        if let renewal, renewals?[team.rawValue] == nil {
            renewals = (renewals ?? [:]).merging([team.rawValue: renewal]) { own, _ in own }
        }
        return indices.count
    }

    /// Sets the day on which a team's membership renews.
    ///
    /// - Parameters:
    ///   - day: a day of any year.
    ///   - team: the team; nil for devices without a team.
    ///   - teams: all teams.
    package mutating func setRenewal(on day: Date, of team: TeamIdentifier?, among teams: [Team]) {
        guard let team else {
            renewal = day
            return
        }
        let owners = teams.filter { $0.account != nil }
        // Devices without a team belong to the only team with an account.
        if owners.count == 1, owners[0].identifier == team { renewal = day }
        let isNamed = devices.contains { $0.place(in: team.rawValue) != nil }
        guard isNamed || owners.count != 1 || owners[0].identifier != team else { return }
        renewals = (renewals ?? [:]).merging([team.rawValue: day]) { _, new in new }
    }

    /// Moves a device in use to a team, where it takes a slot if it had one.
    ///
    /// - Parameters:
    ///   - udid: the device.
    ///   - team: its new team; nil for none.
    ///   - owner: the team whose account it will belong to, if known.
    ///   - former: the team whose account it has belonged to, if known.
    ///   - date: the current time.
    ///   - actor: who decided it.
    /// - Throws: ``DeviceRefusal`` if no device in use has this UDID, or the team has no slot left.
    package mutating func move(
        _ udid: DeviceUDID,
        to team: TeamIdentifier?,
        ownedBy owner: TeamIdentifier?,
        from former: TeamIdentifier?,
        at date: Date,
        by actor: String?,
    ) throws(DeviceRefusal) {
        let index = try activeIndex(of: udid)
        guard devices[index].team != team?.rawValue else { return }
        var device = devices[index]
        let holds = holdsSlot(device, at: date)
        let there = team.flatMap { device.place(in: $0.rawValue) }
        let keepsSlotThere = there.map { holdsSlot($0, at: date) } ?? false
        let before = device
        device.team = team?.rawValue
        if holds, !keepsSlotThere { try checkSlot(for: device, at: date) }
        let earlier = team.flatMap { device.takeHistory(in: $0.rawValue) } ?? []
        let left = former == owner ? nil : former?.rawValue ?? before.team
        if former != owner, device.isApproved {
            // Whether the new account has it is unknown, unless it was registered there in this membership
            // year.
            let last = earlier.last { $0.state != .disabled }?.state
            let state =
                last == .registered && keepsSlotThere ? Device.State.registered : .approved
            if state != device.state { device.change(to: state, at: date, by: actor) }
        } else if !device.isApproved {
            if left == nil { device.continues(earlier) } else { device.continuesElsewhere(earlier) }
        }
        // Apple frees the slot in the former account when that team's year ends.
        if holds, let left { device.leave(left, as: before, at: date, by: actor) }
        devices[index] = device
    }
}
