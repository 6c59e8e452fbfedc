import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Verify, clean up, back up, restore and copy the store.",
        discussion: """
            Example:
              ota store verify
              ota store backup ota-backup.tar
            """,
        subcommands: [
            StoreVerify.self, StoreGC.self, StoreBackUp.self, StoreRestoreCommand.self,
            StoreCopyCommand.self,
        ],
    )
}
