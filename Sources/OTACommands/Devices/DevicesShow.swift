import ArgumentParser
import Bundles
import Foundation
import Releases
import Store

struct DevicesShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one device.",
        discussion: """
            Example:
              ota devices show 00008120-000A1B2C3D4E5F67
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let register = try storeOptions.open(in: context).devices()
        guard let device = register[udid] else { throw DeviceRefusal.unknown }
        let system = device.os.map { " with version \($0) of its system" } ?? ""
        let sentence = """
            \(device.name)
            \(device.udid)
            \(device.model ?? device.family.title)\(system)
            \(device.state.rawValue) since \(Wording.day(device.stateSince)), \
            added \(Wording.day(device.added))
            """
        try context.show(DeviceCard(device: device, lines: sentence), json: output.json)
    }
}

/// All that is known of one device, in lines.
private struct DeviceCard: CommandResult {
    let device: Device
    let lines: String

    var document: DeviceResult.Document { DeviceResult.Document(device: DeviceRow(device)) }

    func text(style: Style) -> String {
        lines.split(separator: "\n").map { String($0).printable }.joined(separator: "\n")
    }
}
