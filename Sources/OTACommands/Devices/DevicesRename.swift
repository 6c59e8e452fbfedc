import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Identifiers
import Releases

struct DevicesRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a device.",
        discussion: """
            Example:
              ota devices rename 00008120-000A1B2C3D4E5F67 "Ben's iPhone"
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @Argument(help: "The new name, 1 to 50 characters.")
    var name: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let before = try await administration.perform(LookUpDevice(LookupRequest(udid: udid)))
            .device
        let document = try await administration.perform(RenameDevice(before.reference, to: name))
        try context.show(
            DeviceResult(document: document, sentence: "Renamed \(before.name) to \(name)."),
            json: output.json,
        )
    }
}
