import ArgumentParser
import Foundation
import Releases
import Store

struct StoreRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring back a store from a backup, or one document from the generation before.",
        discussion: """
            A backup goes into a folder that is absent or empty, and is checked as it is written.
            Example:
              ota store restore ota-backup.tar --store ./ota-store
              ota store restore --document devices.json
            """,
    )

    @Argument(help: "The backup.")
    var backup: String?

    @Option(help: "A document of the store, such as devices.json, to set one generation back.")
    var document: String?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (backup == nil) != (document == nil) else {
            throw ValidationError("name a backup or a --document")
        }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        if let backup { try restore(backup, in: context) }
        if let document { try stepBack(document, in: context) }
    }

    private func restore(_ backup: String, in context: CommandContext) throws {
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        let root = storeOptions.path(in: context)
        let summary = try StoreRestore.run(from: backup, into: root) { done, total in
            bar.update("Restoring", fraction: Double(done) / Double(max(total, 1)))
        }
        bar.finish()
        let result = BackupResult(verb: "Restored", file: root, summary: summary)
        try context.show(result, json: output.json)
    }

    /// Works on the folder itself, because a store with a broken document may not open.
    private func stepBack(_ document: String, in context: CommandContext) throws {
        let backend = try DirectoryBackend(root: storeOptions.path(in: context))
        try OTAStore(backend: backend).restorePrevious(document)
        try context.show(SteppedBack(document: document), json: output.json)
    }
}

private struct SteppedBack: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let document: String
    }

    let name: String

    init(document: String) {
        name = document
    }

    var document: Document { Document(document: name) }

    func text(style: Style) -> String {
        "\(style.good("Restored")) the generation of \(name.printable) before the last change."
    }
}
