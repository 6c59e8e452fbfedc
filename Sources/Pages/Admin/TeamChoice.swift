import Identifiers
package import Releases

/// The choice of a device's team, if several teams have a developer account.
package struct TeamChoice: Sendable {
    let choices: [InvitationForm.Choice]

    /// Creates the choice; nil if there is nothing to choose.
    ///
    /// - Parameters:
    ///   - device: the device; nil for a new one.
    ///   - teams: the teams with a developer account.
    ///   - chosen: a choice that was refused.
    package init?(for device: Device? = nil, among teams: [Team], chosen: String? = nil) {
        guard teams.count > 1, device?.state != .disabled else { return nil }
        let present = chosen ?? device?.team
        let isKnown = teams.contains { $0.identifier.rawValue == present }
        choices =
            [InvitationForm.Choice(value: "", label: "Choose a team", isChosen: !isKnown)]
            + teams.map { team in
                InvitationForm.Choice(
                    value: team.identifier.rawValue,
                    label: "\(team.name), \(team.identifier)",
                    isChosen: team.identifier.rawValue == present,
                )
            }
    }
}
