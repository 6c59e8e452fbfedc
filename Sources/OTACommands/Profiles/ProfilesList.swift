import APIDocuments
import Administration
import ArgumentParser
import Releases

struct ProfilesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List profiles by expiry date.",
        discussion: """
            Example:
              ota profiles list --app browsey
            """,
    )

    @Option(help: "Only the profiles of this app's builds, by bundle identifier or slug.")
    var app: String?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        var document = try await administration.profiles()
        if let app {
            let name = try await administration.perform(ShowApp(app)).app.app
            document = ProfilesDocument(
                profiles: document.profiles.filter { profile in
                    profile.usedIn.contains { $0.app == name }
                }
            )
        }
        let table = ProfileTable(
            document: document,
            now: context.now(),
            emptySentence: app == nil
                ? "No profiles yet: publishing a build adds its profiles."
                : "No build of this app has a profile.",
        )
        try context.show(table, json: output.json)
    }
}
