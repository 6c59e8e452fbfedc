import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Identifiers
import Releases

struct GroupsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a group with its devices, apps and channels.",
        discussion: """
            Example:
              ota groups show qa
            """,
    )

    @Argument(help: "The group.")
    var name: GroupName

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ShowGroup(name.rawValue))
        try context.show(GroupCard(document: document), json: output.json)
    }
}

private struct GroupCard: CommandResult {
    let document: GroupDocument

    func text(style: Style) -> String {
        let group = document.group
        let created = "created by \(group.createdBy) on \(Wording.day(group.created))"
        let lines = [
            "\(style.strong(group.group)): \(Wording.count(group.members, "device")), "
                + created.printable,
            "Named by: " + group.usesInWords.printable,
        ]
        var table = Table(["NAME", "STATE", "UDID"])
        for device in document.devices {
            table.add([
                Table.Cell(device.name, paint: style.strong),
                Table.Cell(device.stateWords),
                Table.Cell(device.udid.description, paint: style.faint),
            ])
        }
        return lines.joined(separator: "\n")
            + (table.isEmpty ? "" : "\n\n" + table.text(style: style))
    }
}
