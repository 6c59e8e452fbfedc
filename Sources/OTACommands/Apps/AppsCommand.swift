import ArgumentParser

struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List and add apps, and set their titles, URL names, access and rules.",
        discussion: """
            Example:
              ota apps list
              ota apps add com.example.browsey --title Browsey
              ota apps set browsey --access enrolled
              ota apps rules browsey --newest 10 --days 30
            """,
        subcommands: [
            AppsList.self, AppsAdd.self, AppsShow.self, AppsSet.self, AppsRules.self,
            AppsArchive.self, AppsUnarchive.self,
        ],
    )
}
