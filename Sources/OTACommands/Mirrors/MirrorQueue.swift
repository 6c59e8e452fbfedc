import APIDocuments
import Administration
import ArgumentParser
import MirrorBuilds
import Mirrors
import Releases

struct MirrorQueue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "List the queued and running builds of all mirrors.",
        discussion: """
            Example:
              ota mirror queue
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let builds = try await target.open(in: context).perform(ShowQueue())
        try context.show(QueueTable(document: builds), json: output.json)
    }
}

private struct QueueTable: CommandResult {
    let document: RunsDocument

    func text(style: Style) -> String {
        var table = Table(["MIRROR", "BUILD", "STATE", "OF", "QUEUED", "BY"])
        for run in document.builds {
            table.add([
                Table.Cell(run.mirror, paint: style.strong), Table.Cell(String(run.number)),
                run.painted(style), Table.Cell(run.subject),
                Table.Cell(Wording.moment(run.queued)),
                Table.Cell(run.actor, paint: style.faint),
            ])
        }
        return table.isEmpty ? "No builds are queued or running." : table.text(style: style)
    }
}
