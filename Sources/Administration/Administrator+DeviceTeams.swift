import APIDocuments
import Foundation
package import Identifiers
package import Releases
import Store

extension Administrator {
    /// Assigns devices without a team to the only team with a developer account, before another team gets
    /// one too: afterwards their owner could not be determined.
    ///
    /// - Parameters:
    ///   - other: the team that is about to get an account.
    ///   - date: the current time.
    /// - Throws: ``StoreFailure``.
    func assignDevices(before other: TeamIdentifier, at date: Date) throws {
        let owners = try store.teams().filter { $0.account != nil }
        guard owners.count == 1, let owner = owners.first, owner.identifier != other,
            try store.devices().devices.contains(where: { $0.team == nil })
        else { return }
        var count = 0
        try store.changeDevices { register in
            count = register.assignRest(to: owner.identifier)
        } recording: {
            guard count > 0 else { return [] }
            let words = Wording.count(count, "device")
            return [activity(.deviceAssigned, words, detail: owner.name, at: date)]
        }
    }

    /// Adds devices to a further team, where each takes a slot: all of them, or none.
    ///
    /// - Parameters:
    ///   - udids: the devices; those that are already in the team stay unchanged.
    ///   - team: the further team.
    /// - Returns: the devices that were added.
    /// - Throws: ``DeviceRefusal``, ``TeamRefusal/unknown(_:)``, ``StoreFailure``.
    @discardableResult
    package func add(_ udids: [DeviceUDID], to team: TeamIdentifier) throws -> [Device] {
        let now = clock()
        let teams = try store.teams()
        guard let title = teams.first(where: { $0.identifier == team })?.name else {
            throw TeamRefusal.unknown(team.rawValue)
        }
        var joined: [Device] = []
        try store.changeDevices { register in
            joined = []
            for udid in udids {
                guard let device = register[udid], device.state != .disabled else {
                    throw DeviceRefusal.unknown
                }
                let owner = device.owner(among: teams)?.identifier
                guard owner != team, device.team != team.rawValue,
                    !device.furtherTeams.contains(team.rawValue)
                else { continue }
                try register.join(udid, team, ownedBy: owner, at: now, by: name)
                joined.append(register[udid] ?? device)
            }
        } recording: {
            joined.map { activity(.deviceAssigned, $0.name, detail: "also \(title)", at: now) }
        }
        return joined
    }

    /// Checks that a team to which a device is to belong exists.
    ///
    /// - Throws: ``TeamRefusal/unknown(_:)``, ``StoreFailure``.
    func check(teamOfDevice team: TeamIdentifier) throws {
        guard try store.teams().contains(where: { $0.identifier == team }) else {
            throw TeamRefusal.unknown(team.rawValue)
        }
    }
}
