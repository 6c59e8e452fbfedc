import Bundles
import ArgumentParser
import Releases
import Store

struct AppsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the apps.",
        discussion: """
            Example:
              ota apps list --json
            """,
    )

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let apps = try storeOptions.open(in: context).apps()
        try context.show(AppTable(apps: apps), json: output.json)
    }
}

private struct AppTable: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let apps: [AppRow]
    }

    let apps: [AppRecord]

    var document: Document { Document(apps: apps.map(AppRow.init)) }

    func text(style: Style) -> String {
        var table = Table(["APP", "NAME IN URLS", "FOR", "LISTED", "OFFERS", "IDENTIFIER"])
        for app in apps {
            let offered = app.defaultChannel.flatMap { app.channels[$0]?.rawValue }
            table.add([
                Table.Cell(app.title, paint: style.strong),
                Table.Cell(app.slug.rawValue),
                Table.Cell(app.audience),
                Table.Cell(app.isListed ? "yes" : "no"),
                Table.Cell(offered ?? "–"),
                Table.Cell(app.bundleIdentifier.rawValue, paint: style.faint),
            ])
        }
        return table.isEmpty ? "No apps: ota publish build.ipa" : table.text(style: style)
    }
}
