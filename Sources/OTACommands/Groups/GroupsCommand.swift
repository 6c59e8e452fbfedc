import ArgumentParser

struct GroupsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "Group testers' devices, and open apps and channels to groups.",
        discussion: """
            Example:
              ota groups create qa
              ota groups add qa 00008120-000A1B2C3D4E5F67
              ota apps set browsey --access groups:qa
              ota groups matrix
            """,
        subcommands: [
            GroupsCreate.self, GroupsList.self, GroupsShow.self, GroupsDelete.self, GroupsAdd.self,
            GroupsRemove.self, GroupsMatrix.self,
        ],
    )
}
