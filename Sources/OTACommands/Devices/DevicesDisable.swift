import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct DevicesDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable devices, all of them or none.",
        discussion: """
            The devices' slots stay used until the membership year ends, as at Apple. `ota devices add` \
            enables a device again.
            Example:
              ota devices disable 00008120-000A1B2C3D4E5F67
            """,
    )

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
        let document = try await administration.perform(DisableDevices(references))
        try context.show(DisabledDevices(document: document), json: output.json)
    }
}

private struct DisabledDevices: CommandResult {
    let document: DevicesDocument

    func text(style: Style) -> String {
        let names = document.devices.map { style.strong($0.name.printable) }
        guard !names.isEmpty else { return "No device was disabled: all of them already were." }
        let slots = names.count == 1 ? "Its slot stays" : "Their slots stay"
        return
            "Disabled \(names.joined(separator: ", ")). \(slots) used until the membership renews."
    }
}
