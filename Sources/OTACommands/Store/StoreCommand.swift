import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Maintain the store: verify, clean up, back up, restore.",
        discussion: """
            Example:
              ota store verify
              ota store backup ota-backup.tar
            """,
        subcommands: [StoreVerify.self, StoreGC.self, StoreBackUp.self, StoreRestoreCommand.self],
    )
}
