import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct GroupsDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a group that no app, channel or sign-in setting uses.",
        discussion: """
            The devices in the group stay. First change the access and the sign-in settings that name it.
            Example:
              ota groups delete qa
            """,
    )

    @Argument(help: "The group.")
    var name: GroupName

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(DeleteGroup(name.rawValue))
        let sentence = "Deleted the group \(name)."
        try context.show(GroupResult(document: document, sentence: sentence), json: output.json)
    }
}
