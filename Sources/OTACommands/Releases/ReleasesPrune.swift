import ArgumentParser
import Foundation
import Publishing
import Releases
import Store

struct ReleasesPrune: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old releases; what a channel offers always stays.",
        discussion: """
            The bytes go with the next `ota store gc`.
            Example:
              ota releases prune browsey --keep 10 --dry-run
            """,
    )

    @Argument(help: "The app.")
    var app: String

    @Option(help: "How many to keep of each channel, the newest first.")
    var keep = 10

    @Flag(help: "Say what would go, and remove nothing.")
    var dryRun = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard keep >= 0 else { throw ValidationError("--keep must be 0 or more") }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let app = try store.app(named: app)
        let removed = try Prune(keep: keep, isDryRun: dryRun)
            .run(on: app.bundleIdentifier, in: store, by: context.actor, at: context.now())
        let result = PruneResult(removed: removed.map(\.rawValue), isDryRun: dryRun)
        try context.show(result, json: output.json)
    }
}

private struct PruneResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let removed: [String]
        let dryRun: Bool
    }

    let removed: [String]
    let isDryRun: Bool

    var document: Document { Document(removed: removed, dryRun: isDryRun) }

    func text(style: Style) -> String {
        guard !removed.isEmpty else { return "Nothing is old enough to go." }
        let verb = isDryRun ? "Would remove" : "Removed"
        return "\(verb) \(Wording.count(removed.count, "release")): "
            + removed.joined(separator: ", ")
    }
}
