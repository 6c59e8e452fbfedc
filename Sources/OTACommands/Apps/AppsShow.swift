import ArgumentParser
import Administration
import Bundles
import Releases
import Store

struct AppsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one app.",
        discussion: """
            Example:
              ota apps show browsey
            """,
    )

    @Argument(help: "The app: its bundle identifier, or its name in URLs.")
    var app: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let app = try Administrator(of: store, named: context.actor, clock: context.now)
            .app(named: app)
        let base = try store.settings().baseURL
        var lines = [
            app.title, app.bundleIdentifier.rawValue,
            base.map { Links(base: $0).app(app.slug) } ?? "/apps/\(app.slug)",
            "For \(app.audience); \(app.isListed ? "listed" : "not listed") on the start page.",
        ]
        lines += app.channels.sorted { $0.key < $1.key }.map { "\($0.key) offers \($0.value)" }
        try context.show(AppResult(app: app, lines: lines), json: output.json)
    }
}
