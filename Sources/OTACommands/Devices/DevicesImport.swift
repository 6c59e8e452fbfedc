import Administration
import ArgumentParser
import Bundles
import Foundation
import Releases

struct DevicesImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the devices of a list from Apple's developer site.",
        discussion: """
            The file is tab-separated: Device ID, Device Name, Device Platform. All of it is added or \
            nothing; devices that are there already are left as they are.
            Example:
              ota devices import devices.txt --registered
            """,
    )

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Flag(help: "The developer account has these devices already.")
    var registered = false

    @Option(help: "The family of devices whose line does not tell; Apple's list names none.")
    var family: ProductFamily = .iphone

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let text = try TextInput.read(file, limit: 4 << 20)
        let listing = DeviceListing(text: text, isRegistered: registered, family: family)
        let document = try await target.open(in: context, creates: true).importDevices(listing)
        try context.show(ImportResult(document: document), json: output.json)
    }
}

private struct ImportResult: CommandResult {
    let document: ImportDocument

    func text(style: Style) -> String { document.sentence.printable }
}
