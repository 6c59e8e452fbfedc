import APIDocuments
import Administration
import ArgumentParser
import Identifiers
import Releases

struct ChannelsAccess: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Choose who sees a channel: groups of its own, or all who see the app.",
        discussion: """
            With groups, only their members see the channel and its builds, no matter who else sees the \
            app; members see it even if they cannot see the rest of the app. The channel keeps its \
            groups when it ends.
            Example:
              ota channels access browsey beta --access groups:beta
              ota channels access browsey beta --access app
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @Argument(help: "The channel; it need not exist yet.")
    var channel: ChannelName

    @Option(help: "app (everyone who can see the app), or groups:qa,beta.")
    var access: AppRecord.ChannelAccess?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard access != nil else {
            throw ValidationError("give --access app or --access groups:qa")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        guard let access else { return }
        let document = try await target.open(in: context)
            .perform(ChangeChannelAccess(channel.rawValue, of: app, to: access))
        let who =
            switch access {
            case .app: document.app.audience
            case .groups(let names): "the groups \(names)"
            }
        try context.show(
            AppResult(
                document: document,
                lines: ["\(document.app.title), \(channel): access for \(who)."],
            ),
            json: output.json,
        )
    }
}

extension AppRecord.ChannelAccess: TypedValue {}
