import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct DevicesAssign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign",
        abstract: "Add devices to another developer team, all of them or none.",
        discussion: """
            Each device takes a slot in that team too, and stays in its own team. `ota devices rename \
            --team` moves a device.
            Example:
              ota devices assign FGHIJ67890 00008120-000A1B2C3D4E5F67
            """,
    )

    @Argument(help: "The team's identifier.")
    var team: TeamIdentifier

    @Argument(help: "The devices' UDIDs.")
    var udids: [DeviceUDID] = []

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...MembershipRequest.most).contains(udids.count) else {
            throw ValidationError("give 1 to \(MembershipRequest.most) UDIDs")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let references = try await administration.references(to: udids)
        let document = try await administration.perform(AddDevicesToTeam(references, to: team))
        try context.show(AssignedDevices(document: document, team: team), json: output.json)
    }
}

private struct AssignedDevices: CommandResult {
    let document: DevicesDocument
    let team: TeamIdentifier

    func text(style: Style) -> String {
        let names = document.devices.map { style.strong($0.name.printable) }
        guard !names.isEmpty else {
            return "No device was added to the team \(team): all of them were already in it."
        }
        let slots = document.slots.filter { $0.team == team.rawValue }
        return "Added \(names.joined(separator: ", ")) to the team \(team).\n"
            + slots.map { $0.text(style: style) }.joined(separator: "\n")
    }
}
