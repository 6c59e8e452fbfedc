import APIDocuments
import Foundation
import Identifiers
import Releases
import Store

extension Administrator {
    /// Has devices that name no team belong to the only one with a developer account, before another
    /// team gets one too: afterwards nobody could tell whose they are.
    ///
    /// - Parameters:
    ///   - other: the team that is about to get an account.
    ///   - date: now.
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

    /// Checks that the server knows a team that a device is to belong to.
    ///
    /// - Throws: ``TeamRefusal/unknown(_:)``, ``StoreFailure``.
    func check(teamOfDevice team: TeamIdentifier) throws {
        guard try store.teams().contains(where: { $0.identifier == team }) else {
            throw TeamRefusal.unknown(team.rawValue)
        }
    }
}
