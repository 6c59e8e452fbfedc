import ArgumentParser

struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List and add apps, and set their titles, URL names and access.",
        discussion: """
            Example:
              ota apps list
              ota apps add com.example.browsey --title Browsey
              ota apps set browsey --access enrolled
            """,
        subcommands: [AppsList.self, AppsAdd.self, AppsShow.self, AppsSet.self],
    )
}
