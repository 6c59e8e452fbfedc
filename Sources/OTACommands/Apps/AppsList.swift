import APIDocuments
import Administration
import ArgumentParser

struct AppsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the apps in use, or the archived ones.",
        discussion: """
            Example:
              ota apps list --json
              ota apps list --archived
            """,
    )

    @Flag(help: "List the archived apps instead.")
    var archived = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let apps = try await target.open(in: context).apps(archived: archived)
        try context.show(AppTable(document: apps, isArchive: archived), json: output.json)
        if apps.unreadable != nil { throw ExitCode(1) }
    }
}

private struct AppTable: CommandResult {
    let document: AppsDocument
    let isArchive: Bool

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
        let nothing =
            isArchive
            ? "No app is archived."
            : "No apps in use: ota publish build.ipa, or ota apps list --archived"
        let text = table.isEmpty ? nothing : table.text(style: style)
        return text + UnreadableRemark.text(document.unreadable, style: style)
    }
}
