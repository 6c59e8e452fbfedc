import ArgumentParser
import Releases
import Store

struct ProfilesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the profiles, those that expire first at the top.",
        discussion: """
            Example:
              ota profiles list
            """,
    )

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let table = ProfileTable(
            records: try storeOptions.open(in: context).profiles().byExpiry,
            now: context.now(),
            emptySentence: "No profiles yet: they are noted when a build is published.",
        )
        try context.show(table, json: output.json)
    }
}
