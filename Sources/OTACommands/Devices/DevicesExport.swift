import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Identifiers
import Releases

struct DevicesExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a device list for Apple's developer site.",
        discussion: """
            Without --all, only devices that the developer account does not have yet.
            Example:
              ota devices export > devices.txt
            """,
    )

    @Flag(help: "Include active devices that the account already has.")
    var all = false

    @Option(help: "Only devices in this team's developer account.")
    var team: TeamIdentifier?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let devices = try await target.open(in: context).perform(ExportDevices(all: all)).devices
        let document = ExportDocument(
            devices: devices.filter {
                $0.belongs(to: team) && (all || $0.awaitsRegistration(in: team))
            }
        )
        try context.show(ExportResult(document: document), json: output.json)
    }
}

private struct ExportResult: CommandResult {
    let document: ExportDocument

    func text(style: Style) -> String { String(document.list.dropLast()) }
}
