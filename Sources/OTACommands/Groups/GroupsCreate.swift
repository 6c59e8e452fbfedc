import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct GroupsCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a group.",
        discussion: """
            Example:
              ota groups create qa
            """,
    )

    @Argument(
        help: "The group's name: 1 to 40 characters, a-z, 0-9, and single hyphens between them."
    )
    var name: GroupName

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context, creates: true)
            .perform(CreateGroup(name))
        let sentence =
            "Created the group \(name). Add devices: ota groups add \(name) UDID; open an app to it: "
            + "ota apps set APP --access groups:\(name)"
        try context.show(GroupResult(document: document, sentence: sentence), json: output.json)
    }
}
