import ArgumentParser

struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List apps, and set their titles, URL names and access.",
        discussion: """
            Example:
              ota apps list
              ota apps set browsey --access enrolled
            """,
        subcommands: [AppsList.self, AppsShow.self, AppsSet.self],
    )
}
