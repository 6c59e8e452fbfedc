/// How devices join, move and leave.
extension AccessModel {
    func isInUse(_ device: Int) -> Bool { [.waiting, .approved].contains(states[device]) }

    mutating func invite(places: Int, groups names: Set<String>) -> Bool {
        guard names.allSatisfy({ groups[$0] != nil }) else { return false }
        let generations = groups.filter { names.contains($0.key) }
        invitations.append(
            Invitation(places: places, groups: names, generations: generations)
        )
        return true
    }

    mutating func join(_ device: Int, with number: Int) -> Bool {
        guard invitations[number].isOpen(at: now) else { return false }
        let invitation = invitations[number]
        let isFirst = invitations[number].users.insert(device).inserted
        if !isInUse(device) { states[device] = .waiting }
        // A device that joins again with the same invitation does not return to groups that it has left.
        guard isFirst else { return true }
        for group in invitation.groups where groups[group] == invitation.generations[group] {
            members[group, default: []].insert(device)
        }
        return true
    }

    mutating func approve(_ device: Int) -> Bool {
        guard isInUse(device) else { return false }
        if states[device] == .waiting { slots.approve(device) }
        states[device] = .approved
        return true
    }

    mutating func disable(_ device: Int) -> Bool {
        guard isInUse(device) else { return false }
        states[device] = .disabled
        for group in members.keys { members[group]?.remove(device) }
        slots.disable(device, at: now)
        return true
    }

    // MARK: Teams

    /// Moves a device to another team, or to the unnamed one.
    mutating func move(_ device: Int, to team: Int?) -> Bool {
        guard isInUse(device) else { return false }
        slots.move(device, to: team, at: now)
        return true
    }

    mutating func add(_ device: Int, toTeam team: Int) -> Bool {
        states[device] == .approved && slots.join(device, team)
    }

    mutating func remove(_ device: Int, fromTeam team: Int) -> Bool {
        isInUse(device) && slots.leave(device, team, at: now)
    }

    /// The devices in the profile of a build that is signed for a team now.
    func listed(by team: Int) -> Set<Int> {
        Set(states.keys.filter { states[$0] == .approved && slots.isIn($0, team) })
    }
}

/// The slots that devices use in developer teams.
struct SlotModel {
    /// A device's slot in a team.
    struct Place {
        var isHeld = false
        /// When the slot was given up; it stays used until the team's membership year ends.
        var released: Int?

        mutating func hold() { (isHeld, released) = (true, nil) }

        mutating func release(at date: Int) {
            if isHeld { (isHeld, released) = (false, date) }
        }
    }

    struct Entry {
        /// The device's own team; nil for the unnamed one.
        var team: Int?
        var own = Place()
        var further: [Int: Place] = [:]
    }

    private var entries: [Int: Entry] = [:]

    func isIn(_ device: Int, _ team: Int) -> Bool {
        entries[device]?.team == team || isFurther(device, team)
    }

    func isFurther(_ device: Int, _ team: Int) -> Bool {
        entries[device]?.further[team]?.isHeld == true
    }

    func own(_ device: Int) -> Int? { entries[device]?.team }

    /// The number of used slots of a team whose membership year began at `start`.
    func used(of team: Int?, since start: Int) -> Int {
        entries.values.count { entry in
            let place = entry.team == team ? entry.own : team.flatMap { entry.further[$0] }
            return place.map { $0.isHeld || $0.released.map { $0 >= start } == true } ?? false
        }
    }

    mutating func approve(_ device: Int) { entries[device, default: Entry()].own.hold() }

    mutating func disable(_ device: Int, at date: Int) {
        guard var entry = entries[device] else { return }
        entry.own.release(at: date)
        for team in entry.further.keys { entry.further[team]?.release(at: date) }
        entries[device] = entry
    }

    /// The slot in the former account stays used until that team's year ends; a device without a named team
    /// takes its slot along.
    mutating func move(_ device: Int, to team: Int?, at date: Int) {
        var entry = entries[device] ?? Entry()
        guard entry.team != team else { return }
        let there = team.flatMap { entry.further.removeValue(forKey: $0) } ?? Place()
        if let former = entry.team {
            entry.further[former] = entry.own
            entry.further[former]?.release(at: date)
            if !entry.own.isHeld { entry.own = there }
        } else if !entry.own.isHeld {
            entry.own.released = [entry.own.released, there.released].compactMap(\.self).max()
        }
        entry.team = team
        entries[device] = entry
    }

    mutating func join(_ device: Int, _ team: Int) -> Bool {
        guard !isIn(device, team) else { return false }
        entries[device, default: Entry()].further[team, default: Place()].hold()
        return true
    }

    mutating func leave(_ device: Int, _ team: Int, at date: Int) -> Bool {
        guard isFurther(device, team) else { return false }
        entries[device]?.further[team]?.release(at: date)
        return true
    }
}
