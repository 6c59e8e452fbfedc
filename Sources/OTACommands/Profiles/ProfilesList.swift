import APIDocuments
import Administration
import ArgumentParser
import Releases

struct ProfilesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List profiles by expiry date.",
        discussion: """
            Example:
              ota profiles list
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let table = ProfileTable(
            document: try await target.open(in: context).profiles(),
            now: context.now(),
            emptySentence: "No profiles yet: publishing a build adds its profiles.",
        )
        try context.show(table, json: output.json)
    }
}
