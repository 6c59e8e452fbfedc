import Identifiers
import Pages
import Releases
import Store

/// The developer accounts of teams, as of their last snapshots from Apple.
struct AccountStandings: Sendable {
    /// The teams whose accounts the server has a key for.
    let teams: [Team]

    /// Returns a device's status at Apple; nil if its team has no snapshot.
    func standing(of device: Device) -> AppleStanding? {
        guard let snapshot = device.owner(among: teams)?.account?.snapshot else { return nil }
        return AppleStanding(snapshot[device.udid], at: snapshot.date)
    }

    /// The device counts at Apple, for the register's budgets.
    var counts: [AppleCount] {
        teams.flatMap { team in
            // Devices without a team belong to the only one.
            let names = [team.identifier.rawValue] + (teams.count == 1 ? [nil] : [])
            let snapshot = team.account?.snapshot
            return names.flatMap { name in
                (snapshot?.slots ?? []).compactMap { slots in
                    snapshot.map {
                        AppleCount(team: name, family: slots.family, used: slots.used, at: $0.date)
                    }
                }
            }
        }
    }

    /// The number of devices that are only in the accounts, and not in the register.
    var onlyThere: Int {
        teams.reduce(0) { $0 + ($1.account?.snapshot?.unknownCount ?? 0) }
    }
}

extension AdminRequest {
    /// - Returns: the accounts; none if a team's document is damaged, which other pages report.
    func accounts() throws -> AccountStandings {
        let teams = try store.unlessDamaged { try store.teams() } ?? []
        return AccountStandings(teams: teams.filter { $0.account != nil })
    }
}
