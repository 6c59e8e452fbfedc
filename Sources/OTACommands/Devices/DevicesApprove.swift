import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Identifiers
import Releases

struct DevicesApprove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve enrolled devices.",
        discussion: """
            Example:
              ota devices approve 00008120-000A1B2C3D4E5F67
              ota devices approve --all
            """,
    )

    @Argument(help: "The devices' UDIDs.")
    var udids: [DeviceUDID] = []

    @Flag(help: "Approve every device that is waiting.")
    var all = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard udids.isEmpty == all else {
            throw ValidationError("give UDIDs, or --all")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let references = try await administration.references(to: udids)
        let request = ApprovalRequest(devices: all ? nil : references)
        let document = try await administration.perform(ApproveDevices(request))
        try context.show(ApprovedDevices(document: document), json: output.json)
    }
}

private struct ApprovedDevices: CommandResult {
    let document: DevicesDocument

    func text(style: Style) -> String {
        guard !document.devices.isEmpty else { return "No device is waiting for approval." }
        let names = document.devices.map { style.strong($0.name.printable) }
            .joined(separator: ", ")
        return "Approved \(names). Export the list for Apple with `ota devices export`.\n"
            + document.slots.map { $0.text(style: style) }.joined(separator: "\n")
    }
}
