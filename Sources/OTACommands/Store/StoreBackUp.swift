import ArgumentParser
import Foundation
import Releases
import Store

struct StoreBackUp: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write the whole store into one file, while the server runs.",
        discussion: """
            The keys are in it: keep it where nobody else reads it.
            Example:
              ota store backup ota-backup.tar
            """,
    )

    @Argument(help: "The file; replaced once the new one is whole.")
    var file: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        let summary = try StoreBackup.write(store, to: file) { done, total in
            bar.update("Backing up", fraction: Double(done) / Double(max(total, 1)))
        }
        bar.finish()
        let result = BackupResult(verb: "Backed up", file: file, summary: summary)
        try context.show(result, json: output.json)
    }
}

/// What went into a backup, or came out of one.
struct BackupResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let file: String
        let documents, blobs, bytes: Int
    }

    let verb: String
    let file: String
    let summary: StoreBackup.Summary

    var document: Document {
        Document(
            file: file,
            documents: summary.documents,
            blobs: summary.blobs,
            bytes: summary.bytes,
        )
    }

    func text(style: Style) -> String {
        "\(style.good(verb)) \(Wording.count(summary.documents, "document")) and "
            + "\(Wording.count(summary.blobs, "blob")), \(Wording.size(summary.bytes)): \(file)"
    }
}
