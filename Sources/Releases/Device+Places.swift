package import Essentials
package import Identifiers

extension Device {
    /// A developer team, other than the device's own, whose account has the device or shall have it.
    struct FurtherTeam: Codable, Sendable, Equatable {
        /// The team's identifier.
        let team: String
        /// The states of the device in that team, in order: approved, registered or disabled; never empty.
        var history: [Change]
    }

    /// The device as each of its teams has it, its own team first: with the state and the history that
    /// are true in that team, teams that it has left among them.
    package var places: [Device] {
        guard let further else { return [self] }
        return [self] + further.map(place)
    }

    /// The further teams that it is in, by identifier.
    package var furtherTeams: [String] {
        (further ?? []).filter { $0.history.last?.state != .disabled }.map(\.team)
    }

    /// The device as one team has it.
    ///
    /// - Parameter team: the team's identifier; nil for devices that name none.
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
    /// Has a device take a slot in a further team, beside those that it is in already.
    ///
    /// - Parameters:
    ///   - udid: which.
    ///   - team: the further team.
    ///   - owner: to whose account the device belongs already, as far as that is known.
    ///   - date: now.
    ///   - actor: who has decided it.
    /// - Throws: ``DeviceRefusal`` when no device in use has the identifier, it waits for approval, it is in
    ///   the team already, or the team has no slot left.
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

    /// Takes a device out of a further team; the slot that it took there stays used until that team's
    /// membership year ends.
    ///
    /// - Throws: ``DeviceRefusal`` when no device in use has the identifier, or it is not in that team as a
    ///   further one.
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

    /// Notes what a list of Apple's says: that the developer account of a team has the device now.
    ///
    /// - Parameters:
    ///   - udid: the device.
    ///   - team: whose list it is, where that is known; a device of other teams stays as it is.
    ///   - date: now.
    ///   - actor: who has brought the list.
    /// - Throws: ``DeviceRefusal/unknown`` when no device in use has the identifier.
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

    /// Notes that the developer account of a team has the device now.
    ///
    /// - Throws: ``DeviceRefusal/unknown`` when no device in use has the identifier.
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
    /// Begins or continues its history in a further team.
    fileprivate mutating func add(_ change: Change, in team: String) {
        var teams = further ?? []
        if let index = teams.firstIndex(where: { $0.team == team }) {
            teams[index].history.append(change)
        } else {
            teams.append(FurtherTeam(team: team, history: [change]))
        }
        further = teams
    }

    /// Leaves every further team.
    mutating func leaveFurtherTeams(at date: Date, by actor: String?) {
        for team in furtherTeams { add(.init(.disabled, at: date, by: actor), in: team) }
    }

    /// Keeps its former own team as one that it has left: now, or when it was disabled there.
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

    /// Makes a team its own that was a further one until now.
    ///
    /// - Returns: its history there; nil if it was never in that team.
    mutating func takeHistory(in team: String) -> [Change]? {
        guard let index = further?.firstIndex(where: { $0.team == team }) else { return nil }
        let history = further?.remove(at: index).history
        if further?.isEmpty ?? false { further = nil }
        return history
    }
}
