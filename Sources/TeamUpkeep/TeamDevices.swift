import Identifiers
package import Releases

/// Which devices of the register belong into the developer account of which team.
package struct TeamDevices: Sendable {
    package let devices: [Device]

    /// - Parameters:
    ///   - team: whose devices.
    ///   - register: all of them; one that names no team belongs to the only team that has an account.
    ///   - teams: every team.
    package init(of team: Team, in register: DeviceRegister, beside teams: [Team]) {
        let owners = teams.filter { $0.account != nil }.map(\.identifier)
        let isOnly = owners.allSatisfy { $0 == team.identifier }
        devices = register.devices.filter { device in
            device.team.map { $0 == team.identifier.rawValue } ?? isOnly
        }
    }
}
