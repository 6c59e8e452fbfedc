import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Identifiers
import Releases

struct DevicesRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a device, or change the teams that it belongs to.",
        discussion: """
            Example:
              ota devices rename 00008120-000A1B2C3D4E5F67 "Ben's iPhone"
              ota devices rename 00008120-000A1B2C3D4E5F67 --team ABCDE12345
              ota devices rename 00008120-000A1B2C3D4E5F67 --add-team FGHIJ67890
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @Argument(help: "The new name, 1 to 50 characters; default: unchanged.")
    var name: String?

    @Option(help: "The team whose developer account the device belongs to from now on, or none.")
    var team: TeamChoice?

    @Option(help: "Another team to add the device to. May be repeated.")
    var addTeam: [TeamIdentifier] = []

    @Option(help: "Another team to remove the device from. May be repeated.")
    var removeTeam: [TeamIdentifier] = []

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard name != nil || team != nil || !addTeam.isEmpty || !removeTeam.isEmpty else {
            throw ValidationError("give a new name, --team, --add-team or --remove-team")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let before = try await administration.perform(LookUpDevice(LookupRequest(udid: udid)))
            .device
        let document = try await administration.perform(
            RenameDevice(
                before.reference,
                RenamingRequest(name: name, choice: team, adding: addTeam, removing: removeTeam),
            )
        )
        let title = document.device.name
        let sentences = [
            name.map { "Renamed \(before.name) to \($0)." },
            team.map { choice in
                choice.team.map { "\(document.device.name) belongs to the team \($0)." }
                    ?? "\(document.device.name) has no team assigned."
            },
        ]
        let further =
            addTeam.map { "\(title) also takes a slot in the team \($0)." }
            + removeTeam.map {
                "\(title) has left the team \($0); its slot there stays used until the membership "
                    + "renews."
            }
        try context.show(
            DeviceResult(
                document: document,
                sentence: (sentences.compactMap(\.self) + further).joined(separator: " "),
            ),
            json: output.json,
        )
    }
}
