import ArgumentParser
import Foundation
import Releases
import Store

struct DevicesExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the list that Apple's developer site takes.",
        discussion: """
            Without --all these are the devices that the developer account does not have yet.
            Example:
              ota devices export > devices.txt
            """,
    )

    @Flag(help: "Every device in use, also those that the account has.")
    var all = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let active = try storeOptions.open(in: context).devices().active
        let devices = all ? active : active.filter { $0.state == .approved }
        try context.show(ExportResult(devices: devices), json: output.json)
    }
}

private struct ExportResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let devices: [DeviceRow]
    }

    let devices: [Device]

    var document: Document { Document(devices: devices.map(DeviceRow.init)) }

    func text(style: Style) -> String {
        String(AppleDeviceFile.write(devices).dropLast())
    }
}
