import Bytes
import Essentials
import Identifiers
package import Releases

/// The devices of the register that belong in the developer account of a team.
package struct TeamDevices: Sendable {
    /// As their state is in that team: see ``Releases/Device/places``.
    package let devices: [Device]

    /// - Parameters:
    ///   - team: the team.
    ///   - register: the register of all devices.
    ///   - teams: all teams.
    package init(of team: Team, in register: DeviceRegister, beside teams: [Team]) {
        devices = register.devices.compactMap { device in
            device.places.first { $0.owner(among: teams)?.identifier == team.identifier }
        }
    }

    private init(_ devices: [Device]) {
        self.devices = devices
    }

    /// Devices in use that belong to no known team: they name none, and several teams have an account.
    package static func unowned(in register: DeviceRegister, beside teams: [Team]) -> TeamDevices {
        guard teams.count(where: { $0.account != nil }) > 1 else { return TeamDevices([]) }
        return TeamDevices(
            register.devices.filter { $0.team == nil && $0.state != .disabled }
        )
    }

    /// The message about ``unowned(in:beside:)``, without a full stop; nil if there are none.
    package var unownedWords: String? {
        guard let first = devices.map(\.name).min() else { return nil }
        return Wording.count(devices.count, "device")
            + (devices.count == 1 ? " belongs" : " belong")
            + " to no team, although several have a developer account: \(quoted: first)"
            + (devices.count > 1 ? " and \((devices.count - 1).grouped) more" : "")
    }

    /// How to fix it.
    package static let unownedFix =
        "give each a team with `ota devices rename UDID --team TEAM`"
}
