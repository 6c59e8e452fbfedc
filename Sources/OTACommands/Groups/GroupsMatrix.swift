import APIDocuments
import Administration
import ArgumentParser
import Releases

struct GroupsMatrix: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "matrix",
        abstract: "Show which channels of which app each group sees.",
        discussion: """
            A group sees what its members see once their devices are approved. Apps with a passphrase \
            are open to those who know it, whatever group they are in. Apps with access sign-in are \
            open to everyone who can sign in as a tester.
            Example:
              ota groups matrix --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ShowAccessMatrix())
        try context.show(AccessMatrix(document: document), json: output.json)
    }
}

private struct AccessMatrix: CommandResult {
    let document: AccessMatrixDocument

    func text(style: Style) -> String {
        var table = Table(["APP", "ACCESS"] + document.groups.map { $0.uppercased() })
        for app in document.apps {
            table.add(
                [
                    Table.Cell(app.title, paint: style.strong),
                    Table.Cell(app.access.description),
                ]
                    + document.groups.map { group in
                        let channels = app.open[group] ?? []
                        return Table.Cell(
                            channels.isEmpty ? "–" : channels.joined(separator: ", ")
                        )
                    }
            )
        }
        return table.isEmpty ? "No apps yet." : table.text(style: style)
    }
}
