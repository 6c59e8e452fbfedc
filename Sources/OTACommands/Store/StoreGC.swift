import ArgumentParser
import Foundation
import Releases
import Store

struct StoreGC: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Delete files that no release uses any more.",
        discussion: """
            Example:
              ota store gc --dry-run
            """,
    )

    @Option(
        help: ArgumentHelp(
            "Keep files younger than this, such as 12h; longer than a publish takes. Default: 1d.",
            valueName: "duration",
        )
    )
    var olderThan: Span = .init(days: 1)

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let removed = try storeOptions.open(in: context)
            .collect(olderThan: Int(olderThan.seconds), isDryRun: dryRun)
        try context.show(CollectResult(removed: removed, isDryRun: dryRun), json: output.json)
    }
}

private struct CollectResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let blobs, bytes, leftovers: Int
        let dryRun: Bool
    }

    let removed: StoreCollection
    let isDryRun: Bool

    var document: Document {
        Document(
            blobs: removed.blobs,
            bytes: removed.bytes,
            leftovers: removed.leftovers,
            dryRun: isDryRun,
        )
    }

    func text(style: Style) -> String {
        let verb = isDryRun ? "Would remove" : "Removed"
        return
            "\(verb) \(Wording.count(removed.blobs, "blob")) (\(Wording.size(removed.bytes))) and "
            + "\(Wording.count(removed.leftovers, "leftover")) of interrupted work."
    }
}
