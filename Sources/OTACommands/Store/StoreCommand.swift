import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Look after what is on disk: verify, collect, back up, restore.",
        discussion: """
            Example:
              ota store verify
              ota store backup ota-backup.tar
            """,
        subcommands: [StoreVerify.self, StoreGC.self, StoreBackUp.self, StoreRestoreCommand.self],
    )
}
