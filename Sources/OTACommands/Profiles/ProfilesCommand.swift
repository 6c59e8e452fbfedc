import ArgumentParser

struct ProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List provisioning profiles, and check when they expire.",
        discussion: """
            Example:
              ota profiles check --within 30d
            """,
        subcommands: [
            ProfilesList.self, ProfilesShow.self, ProfilesAdd.self, ProfilesCheck.self,
        ],
    )
}
