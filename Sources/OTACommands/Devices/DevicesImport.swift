import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Foundation
import Identifiers
import Releases

struct DevicesImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a device list from Apple's developer site.",
        discussion: """
            The file is tab-separated: Device ID, Device Name, Device Platform. If a line has an \
            error, nothing is imported. Known devices are left unchanged.
            Example:
              ota devices import devices.txt --registered
            """,
    )

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Flag(help: "Mark the devices as registered in the developer account.")
    var registered = false

    @Option(help: "The family of devices whose line does not name one, as in Apple's own list.")
    var family: ProductFamily = .iphone

    @Option(help: "The team whose developer account the new devices belong to.")
    var team: TeamIdentifier?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let text = try TextInput.read(file, limit: 4 << 20)
        let listing = DeviceListing(
            text: text,
            isRegistered: registered,
            family: family,
            team: team,
        )
        let document = try await target.open(in: context, creates: true)
            .perform(ImportDevices(listing))
        try context.show(ImportResult(document: document), json: output.json)
    }
}

private struct ImportResult: CommandResult {
    let document: ImportDocument

    func text(style: Style) -> String { document.sentence.printable }
}
