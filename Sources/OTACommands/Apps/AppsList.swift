import APIDocuments
import Administration
import ArgumentParser

struct AppsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the apps.",
        discussion: """
            Example:
              ota apps list --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let apps = try await target.open(in: context).apps()
        try context.show(AppTable(document: apps), json: output.json)
        if apps.unreadable != nil { throw ExitCode(1) }
    }
}

private struct AppTable: CommandResult {
    let document: AppsDocument

    func text(style: Style) -> String {
        var table = Table(["APP", "URL NAME", "ACCESS", "LISTED", "OFFERS", "IDENTIFIER"])
        for app in document.apps {
            table.add([
                Table.Cell(app.title, paint: style.strong),
                Table.Cell(app.slug),
                Table.Cell(app.audience),
                Table.Cell(app.listed ? "yes" : "no"),
                Table.Cell(app.offered ?? "–"),
                Table.Cell(app.app, paint: style.faint),
            ])
        }
        let text = table.isEmpty ? "No apps: ota publish build.ipa" : table.text(style: style)
        return text + UnreadableRemark.text(document.unreadable, style: style)
    }
}
