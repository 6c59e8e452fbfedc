import Identifiers
import Pages
import Releases
import Store

/// The developer accounts of teams, as Apple described them last.
struct AccountStandings: Sendable {
    /// The teams whose accounts the server has a key for.
    let teams: [Team]

    /// How a device stands at Apple; nil where Apple was not asked.
    func standing(of device: Device) -> AppleStanding? {
        guard let snapshot = device.owner(among: teams)?.account?.snapshot else { return nil }
        return AppleStanding(snapshot[device.udid], at: snapshot.date)
    }

    /// What Apple counts, for the budgets of the register.
    var counts: [AppleCount] {
        teams.flatMap { team in
            // Devices that name no team are the only one's.
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

    /// Devices that only the accounts have.
    var onlyThere: Int {
        teams.reduce(0) { $0 + ($1.account?.snapshot?.unknownCount ?? 0) }
    }
}

extension AdminRequest {
    /// - Returns: no accounts where a team's document is damaged; that is said elsewhere.
    func accounts() throws -> AccountStandings {
        let teams = try store.unlessDamaged { try store.teams() } ?? []
        return AccountStandings(teams: teams.filter { $0.account != nil })
    }
}
