import ArgumentParser

struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "The apps: what they are called, where they are, and who may see them.",
        discussion: """
            Example:
              ota apps list
              ota apps set browsey --access enrolled
            """,
        subcommands: [AppsList.self, AppsShow.self, AppsSet.self],
    )
}
