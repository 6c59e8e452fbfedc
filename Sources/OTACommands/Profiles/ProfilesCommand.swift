import ArgumentParser

struct ProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "Provisioning profiles seen in builds, and when they expire.",
        discussion: """
            Example:
              ota profiles check --within 30d
            """,
        subcommands: [
            ProfilesList.self, ProfilesShow.self, ProfilesAdd.self, ProfilesCheck.self,
        ],
    )
}
