import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct GroupsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add devices to a group.",
        discussion: """
            Example:
              ota groups add qa 00008120-000A1B2C3D4E5F67
            """,
    )

    @Argument(help: "The group.")
    var name: GroupName

    @Argument(help: "The devices' UDIDs.")
    var udids: [DeviceUDID] = []

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func validate() throws {
        guard (1...MembershipRequest.most).contains(udids.count) else {
            throw ValidationError("give 1 to \(MembershipRequest.most) UDIDs")
        }
    }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        var devices: [DeviceEntry] = []
        for udid in udids {
            devices.append(
                try await administration.perform(LookUpDevice(LookupRequest(udid: udid))).device
            )
        }
        let document = try await administration.perform(
            AddToGroup(devices.map(\.reference), to: name.rawValue)
        )
        let names = devices.map(\.name).joined(separator: ", ")
        let sentence =
            "Added \(names) to the group \(name), which has "
            + "\(Wording.count(document.group.members, "device")) now."
        try context.show(GroupResult(document: document, sentence: sentence), json: output.json)
    }
}
