package import Essentials
package import Identifiers

/// A group of testers; ``Device/groups`` records its members.
package struct TesterGroup: Codable, Sendable, Equatable {
    package let name: GroupName
    package let created: Date
    package let createdBy: String
}

extension DeviceRegister {
    /// The most groups.
    package static let groupLimit = 200
    /// The most groups of a device.
    package static let membershipLimit = 50

    /// The groups by name.
    package var groups: [TesterGroup] { groupList ?? [] }

    package subscript(group: GroupName) -> TesterGroup? {
        groups.first { $0.name == group }
    }

    /// The devices in use in a group, by name.
    package func members(of group: GroupName) -> [Device] {
        active.filter { $0.groups.contains(group) }
    }

    /// Creates a group without members.
    ///
    /// - Throws: ``GroupRefusal`` if it already exists, or there are too many.
    package mutating func create(
        _ name: GroupName,
        by actor: String,
        at date: Date,
    ) throws(GroupRefusal) {
        guard self[name] == nil else { throw .exists(name) }
        guard groups.count < Self.groupLimit else { throw .tooMany(Self.groupLimit) }
        let group = TesterGroup(name: name, created: date, createdBy: actor)
        groupList = (groups + [group]).sorted { $0.name < $1.name }
    }

    /// Deletes a group, and removes its members from it.
    ///
    /// - Throws: ``GroupRefusal/unknown(_:)``.
    package mutating func delete(_ name: GroupName) throws(GroupRefusal) {
        guard self[name] != nil else { throw .unknown(name.rawValue) }
        groupList = groups.filter { $0.name != name }
        if groupList?.isEmpty == true { groupList = nil }
        for index in devices.indices { devices[index].leave(name) }
    }

    /// Adds devices in use to a group: all of them or, on an error, none.
    ///
    /// - Returns: the devices that were not members.
    /// - Throws: ``GroupRefusal``, ``DeviceRefusal/unknown``.
    @discardableResult
    package mutating func add(
        _ udids: [DeviceUDID],
        to name: GroupName,
    ) throws -> [Device] {
        guard self[name] != nil else { throw GroupRefusal.unknown(name.rawValue) }
        var changed = devices
        var added: [Device] = []
        for udid in udids {
            let index = try activeIndex(of: udid)
            guard !changed[index].groups.contains(name) else { continue }
            guard changed[index].groups.count < Self.membershipLimit else {
                throw GroupRefusal.tooManyOfDevice(Self.membershipLimit)
            }
            changed[index].join(name)
            added.append(changed[index])
        }
        devices = changed
        return added
    }

    /// Removes devices from a group; a device that is not a member is unchanged.
    ///
    /// - Returns: the devices that were members.
    /// - Throws: ``GroupRefusal/unknown(_:)``.
    @discardableResult
    package mutating func remove(
        _ udids: [DeviceUDID],
        from name: GroupName,
    ) throws(GroupRefusal) -> [Device] {
        guard self[name] != nil else { throw .unknown(name.rawValue) }
        let named = Set(udids)
        var removed: [Device] = []
        for index in devices.indices
        where named.contains(devices[index].udid) && devices[index].groups.contains(name) {
            devices[index].leave(name)
            removed.append(devices[index])
        }
        return removed
    }

    /// Adds a device to the groups of an invitation, once per invitation: a device that has left a group
    /// since does not rejoin it by the same invitation.
    ///
    /// - Parameters:
    ///   - udid: the device that used the invitation.
    ///   - names: the groups; those that were deleted, or created after the invitation, are skipped.
    ///   - invitation: the invitation's identifier.
    ///   - created: when the invitation was created.
    /// - Returns: the groups that the device joined.
    package mutating func join(
        _ udid: DeviceUDID,
        to names: [GroupName],
        with invitation: String,
        made created: Date,
    ) -> [GroupName] {
        guard !names.isEmpty,
            let index = devices.firstIndex(where: { $0.udid == udid && $0.state != .disabled }),
            devices[index].come(with: invitation)
        else { return [] }
        return names.filter { name in
            guard let group = self[name], group.created <= created,
                !devices[index].groups.contains(name),
                devices[index].groups.count < Self.membershipLimit
            else { return false }
            devices[index].join(name)
            return true
        }
    }
}

extension Device {
    /// The most invitations with groups that are remembered per device.
    private static let invitationLimit = 100

    /// The groups of which it is a member.
    package var groups: Set<GroupName> { Set(memberships ?? []) }

    mutating func join(_ group: GroupName) {
        memberships = groups.union([group]).sorted()
    }

    mutating func leave(_ group: GroupName) {
        let rest = groups.subtracting([group]).sorted()
        memberships = rest.isEmpty ? nil : rest
    }

    /// Leaves all groups.
    mutating func leaveAll() { memberships = nil }

    /// Records that it used an invitation.
    ///
    /// - Returns: false if it had used it before.
    mutating func come(with invitation: String) -> Bool {
        let known = invitations ?? []
        guard !known.contains(invitation) else { return false }
        invitations = (known + [invitation]).suffix(Self.invitationLimit)
        return true
    }
}
