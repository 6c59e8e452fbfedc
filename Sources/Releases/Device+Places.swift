package import Essentials
package import Identifiers

extension Device {
    /// A developer team, other than the device's own, whose account has the device or will have it.
    struct FurtherTeam: Codable, Sendable, Equatable {
        /// The team's identifier.
        let team: String
        /// The device's states in that team, in order: approved, registered or disabled; never empty.
        var history: [Change]
    }

    /// The device as seen by each of its teams, its own team first: with its state and history in that
    /// team.
    ///
    /// Teams that it has left are included.
    package var places: [Device] {
        guard let further else { return [self] }
        return [self] + further.map(place)
    }

    /// The identifiers of its current additional teams.
    package var furtherTeams: [String] {
        (further ?? []).filter { $0.history.last?.state != .disabled }.map(\.team)
    }

    /// The device as seen by one team.
    ///
    /// - Parameter team: the team's identifier; nil for devices without a team.
    /// - Returns: nil if the device was never in that team.
    package func place(in team: String?) -> Device? {
        guard self.team != team else { return self }
        return further?.first { $0.team == team }.map(place)
    }

    private func place(_ other: FurtherTeam) -> Device {
        var device = self
        device.team = other.team
        device.further = nil
        device.follows(other.history)
        return device
    }
}

extension DeviceRegister {
    /// Adds a device to another team, where it takes a slot too.
    ///
    /// - Parameters:
    ///   - udid: the device.
    ///   - team: the additional team.
    ///   - owner: the team whose account the device belongs to, if known.
    ///   - date: the current time.
    ///   - actor: who decided it.
    /// - Throws: ``DeviceRefusal`` if no device in use has this UDID, the device is not approved or is
    ///   already in the team, or the team has no slot left.
    package mutating func join(
        _ udid: DeviceUDID,
        _ team: TeamIdentifier,
        ownedBy owner: TeamIdentifier?,
        at date: Date,
        by actor: String?,
    ) throws(DeviceRefusal) {
        let index = try activeIndex(of: udid)
        let device = devices[index]
        guard device.isApproved else { throw .notApproved(name: device.name) }
        let former = device.place(in: team.rawValue)
        guard owner != team, former == nil || former?.state == .disabled else {
            throw .alreadyInTeam(name: device.name, team: team.rawValue)
        }
        if former.map({ !holdsSlot($0, at: date) }) ?? true {
            var place = device
            place.team = team.rawValue
            try checkSlot(for: place, at: date)
        }
        devices[index].add(.init(.approved, at: date, by: actor), in: team.rawValue)
    }

    /// Removes a device from an additional team.
    ///
    /// The slot that it took there stays used until that team's membership year ends.
    ///
    /// - Throws: ``DeviceRefusal`` if no device in use has this UDID, or the team is not one of its
    ///   additional teams.
    package mutating func leave(
        _ udid: DeviceUDID,
        _ team: TeamIdentifier,
        at date: Date,
        by actor: String?,
    ) throws(DeviceRefusal) {
        let index = try activeIndex(of: udid)
        guard devices[index].furtherTeams.contains(team.rawValue) else {
            throw .notInTeam(name: devices[index].name, team: team.rawValue)
        }
        devices[index].add(.init(.disabled, at: date, by: actor), in: team.rawValue)
    }

    /// Records from a device list of Apple that a team's developer account has the device.
    ///
    /// - Parameters:
    ///   - udid: the device.
    ///   - team: the team of the list, if known; a device that is only in other teams is unchanged.
    ///   - date: the current time.
    ///   - actor: who imported the list.
    /// - Throws: ``DeviceRefusal/unknown`` if no device in use has this UDID.
    package mutating func markRegistered(
        _ udid: DeviceUDID,
        as team: TeamIdentifier?,
        at date: Date,
        by actor: String?,
    ) throws(DeviceRefusal) {
        guard let team else { return try markRegistered(udid, at: date, by: actor) }
        let device = devices[try activeIndex(of: udid)]
        guard device.team == nil || device.place(in: team.rawValue) != nil else { return }
        try markRegistered(udid, in: team, at: date, by: actor)
    }

    /// Records that a team's developer account has the device.
    ///
    /// - Throws: ``DeviceRefusal/unknown`` if no device in use has this UDID.
    package mutating func markRegistered(
        _ udid: DeviceUDID,
        in team: TeamIdentifier,
        at date: Date,
        by actor: String? = nil,
    ) throws(DeviceRefusal) {
        let index = try activeIndex(of: udid)
        guard devices[index].furtherTeams.contains(team.rawValue) else {
            return try markRegistered(udid, at: date, by: actor)
        }
        guard devices[index].place(in: team.rawValue)?.state == .approved else { return }
        devices[index].add(.init(.registered, at: date, by: actor), in: team.rawValue)
    }
}

extension Device {
    /// Adds a change to its history in an additional team, and adds the team if it is new.
    fileprivate mutating func add(_ change: Change, in team: String) {
        var teams = further ?? []
        if let index = teams.firstIndex(where: { $0.team == team }) {
            teams[index].history.append(change)
        } else {
            teams.append(FurtherTeam(team: team, history: [change]))
        }
        further = teams
    }

    /// Removes it from all additional teams.
    mutating func leaveFurtherTeams(at date: Date, by actor: String?) {
        for team in furtherTeams { add(.init(.disabled, at: date, by: actor), in: team) }
    }

    /// Keeps its former own team as an additional team that it has left: on `date`, or when it was disabled
    /// there.
    mutating func leave(_ team: String, as former: Device, at date: Date, by actor: String?) {
        let isHeld = { (change: Change) in [.approved, .registered].contains(change.state) }
        let history = former.history
        let end = history.lastIndex(where: isHeld).flatMap { history[$0...].dropFirst().first }
        let left = Change(.disabled, at: end?.date ?? date, by: end.map(\.by) ?? actor)
        var teams = further ?? []
        teams.removeAll { $0.team == team }
        teams.append(FurtherTeam(team: team, history: history.filter(isHeld) + [left]))
        further = teams
    }

    /// Removes a team from the additional teams, because it becomes the device's own.
    ///
    /// - Returns: the device's history there; nil if it was never in that team.
    mutating func takeHistory(in team: String) -> [Change]? {
        guard let index = further?.firstIndex(where: { $0.team == team }) else { return nil }
        let history = further?.remove(at: index).history
        if further?.isEmpty ?? false { further = nil }
        return history
    }
}
