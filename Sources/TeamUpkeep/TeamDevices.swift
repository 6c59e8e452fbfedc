import Identifiers
package import Releases

/// Which devices of the register belong into the developer account of which team.
package struct TeamDevices: Sendable {
    package let devices: [Device]

    /// - Parameters:
    ///   - team: whose devices.
    ///   - register: all of them.
    ///   - teams: every team.
    package init(of team: Team, in register: DeviceRegister, beside teams: [Team]) {
        devices = register.devices.filter {
            $0.owner(among: teams)?.identifier == team.identifier
        }
    }
}
