import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Identifiers
import Releases

struct DevicesRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Disable a device.",
        discussion: """
            The device's slot stays used until the membership year ends, as at Apple. With --forget the \
            device is erased instead; use that for a device that was never in the developer account. \
            `ota devices disable` disables several devices.
            Example:
              ota devices remove 00008120-000A1B2C3D4E5F67
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @Flag(help: "Erase the device's identifier and history, and free its slot here.")
    var forget = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let reference = try await administration.reference(to: udid)
        let document =
            if forget {
                try await administration.perform(EraseDevice(reference))
            } else {
                try await administration.perform(DisableDevice(reference))
            }
        let name = document.device.name
        let sentence =
            forget
            ? "Erased \(name)."
            : "Disabled \(name); its slot stays used until the membership renews."
        try context.show(
            DeviceResult(document: document, sentence: sentence),
            json: output.json,
        )
    }
}
