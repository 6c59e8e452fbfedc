import APIDocuments
import ArgumentParser

struct AppsArchive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Archive an app: remove it from lists and refuse new builds.",
        discussion: """
            The app's links and installs keep working. `ota apps list --archived` lists the app.
            Example:
              ota apps archive browsey
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(ChangeApp(app, AppChange(isArchived: true)))
        let sentence =
            "\(document.app.title) is archived. Its links and installs keep working, and the server "
            + "refuses new builds of it."
        try context.show(AppResult(document: document, lines: [sentence]), json: output.json)
    }
}

struct AppsUnarchive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unarchive",
        abstract: "Return an archived app to the lists and accept new builds.",
        discussion: """
            Example:
              ota apps unarchive browsey
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(ChangeApp(app, AppChange(isArchived: false)))
        let found = document.app
        let sentence = "\(found.title) is in use again, \(found.place)."
        try context.show(AppResult(document: document, lines: [sentence]), json: output.json)
    }
}
