import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Releases

struct GroupsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the groups.",
        discussion: """
            Example:
              ota groups list
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ListGroups())
        try context.show(GroupTable(document: document), json: output.json)
    }
}

private struct GroupTable: CommandResult {
    let document: GroupsDocument

    func text(style: Style) -> String {
        var table = Table(["GROUP", "DEVICES", "NAMED BY"])
        for group in document.groups {
            table.add([
                Table.Cell(group.group, paint: style.strong),
                Table.Cell(group.members.grouped),
                Table.Cell(group.usesInWords),
            ])
        }
        return table.isEmpty
            ? "No groups yet. Create one: ota groups create qa" : table.text(style: style)
    }
}
